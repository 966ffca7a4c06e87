"""Many pages read in the background: progress, a stop within a page, going on later, or keeping what is done.

Uploaded files wait in a folder of the workbench's home until the reading is done, kept or discarded. So it can go on
after a restart, too.
"""

import re
import shutil
import time
import zipfile
from collections.abc import Collection, Sequence
from pathlib import Path, PurePath
from typing import SupportsIndex
from uuid import uuid4

from core.errors import WorkbenchError
from core.files.unpacking import DAMAGE
from core.jobs import Cancelled
from core.markup import extract_sentences
from core.markup.partial import Partial
from core.markup.selectors import PageSelectors
from core.parsers.readers import ENGLISH
from core.processes.apart import ApartLimits, call_apart
from core.processes.apart_worker import Apart
from core.store import RESUMABLE, Run, RunKind, workbench_home
from core.workspace.markup.pages import BY_COMMAND, LIMITS, Files, file_names, is_archive, keep_pages, write_files
from core.workspace.readings import SMALL
from core.workspace.selecting import selector_fields, selectors_of
from core.workspace.task import MadeText, ProjectContent, Task, Work

KIND = "markup"
FOLDER = "uploads"
TOKEN = re.compile(r"[0-9a-f]{32}")  # names a reading's folder
MANY = 40  # files
REPORT_SECONDS = 0.25  # between two reports
SAVE_SECONDS = 2.0  # between two reports with all that was read so far
A_STEP = ApartLimits(  # for the pages between two reports
    seconds=120, memory=2 << 30, grace=30, instead=f"leave out the page that takes so long; {BY_COMMAND}"
)
STORED = (RunKind(KIND, dict, MadeText),)


def takes_long(files: Files) -> bool:
    """Whether files, as ``add_pages`` takes them, are to be read in the background: an archive, or much text."""
    files = [(name, data) for name, data in files if data]
    size = sum(len(data) for _, data in files)
    return size > SMALL or len(files) > MANY or any(is_archive(name, data) for name, data in files)


class PageReading(Task[dict, ProjectContent]):
    """Reads uploaded files as pages, and makes a text of them. The plan is the settings of the run as they are kept."""

    kind = KIND
    replaces = False

    def recorded(self, inputs: ProjectContent, plan: dict) -> dict:
        return plan

    def inputs_of(self, run: Run) -> tuple[ProjectContent, dict]:
        """The project, and the settings. Raises WorkbenchError where the files are gone."""
        if not _waits(run.settings):
            raise WorkbenchError("the files of this reading are not on this machine any more; choose them again")
        return ProjectContent(run.project), run.settings

    def start_on(
        self, project: SupportsIndex, files: Files, punctuation: Collection[str] = (), reader: str = ENGLISH,
        language: str | None = None, selectors: PageSelectors | None = None, contractions: bool = True,
    ) -> int:  # fmt: skip
        """Begin to read files, as ``add_pages`` takes them with the rest; returns the run's id.

        Raises WorkbenchError for nothing to read and for files that are too large, StoreError where they cannot be
        kept.
        """
        self.store.require_space(project, "these pages")
        token = uuid4().hex
        folder = workbench_home() / FOLDER / token
        try:
            paths = write_files(folder, files)
        except (WorkbenchError, OSError) as error:
            shutil.rmtree(folder, ignore_errors=True)
            if isinstance(error, WorkbenchError):
                raise
            raise WorkbenchError(
                f"the files cannot be kept while they are read: {error.strerror}; free some space"
            ) from None
        settings = {
            "name": file_names(files), "folder": token, "files": [str(path.relative_to(folder)) for path in paths],
            "punctuation": list(punctuation), "reader": reader, "language": language,
            "contractions": contractions, **selector_fields(selectors or PageSelectors()),
        }  # fmt: skip
        return self.start(ProjectContent(project), settings)

    def work(self, inputs: ProjectContent, plan: dict) -> Work:
        def work(job):
            folder, paths = _folder(plan), _paths(plan)
            expected = _count(paths)
            how = {"punctuation": plan["punctuation"], "language": plan.get("language"), "places": True}
            call = {"paths": [str(path) for path in paths], "how": how | selector_fields(selectors_of(plan))}
            _, (state,) = call_apart(
                f"{__name__}:read_pages", call, [job.resumed or b""], doing=f"reading {plan['name']}", limits=A_STEP,
                cancel=job.cancelled, report=lambda figures, parts: _report(job, expected, figures, parts),
            )  # fmt: skip
            partial = Partial.from_bytes(state)
            try:
                if job.cancelled():
                    raise Cancelled
                tagging = f"{partial.report.sentences:,} sentences read; tagging"
                _report(job, expected, _figures(partial), [], tagging)
                corpus_id = self._kept(inputs.project, plan, partial, job.cancelled)
            except Cancelled:
                _report(job, expected, _figures(partial), [state])
                raise
            shutil.rmtree(folder, ignore_errors=True)
            return _figures(partial) | {"expected": expected, "corpus": corpus_id}, None

        return work

    def keep(self, run: Run) -> int:
        """Make a text of what a stopped reading has read, and end it; returns the corpus id."""
        inputs, settings = self.inputs_of(run)
        data = self.store.checkpoint_bytes(run.id)
        if data is None:
            raise WorkbenchError("no page had been read when it stopped; resume it, or discard it")
        corpus_id = self._kept(inputs.project, settings, Partial.from_bytes(data))
        self.discard(run)
        return corpus_id

    def discard(self, run: Run) -> None:
        """Forget the files of a stopped reading, so that it is not offered any more. Raises WorkbenchError."""
        self.store.authorise_run(run.id, "annotator")
        shutil.rmtree(_folder(run.settings), ignore_errors=True)

    def latest_stopped(self, project: SupportsIndex) -> Run | None:
        """The newest of the last five runs that stopped half-way and whose files are still there, or None."""
        runs = self.store.runs(project, KIND, limit=5)
        return next((run for run in runs if run.status in RESUMABLE and _waits(run.settings)), None)

    def _kept(self, project, settings, partial, cancelled=None):
        made = {"reader": settings["reader"], "selectors": selector_fields(selectors_of(settings))}
        made["contractions"] = settings.get("contractions", False)  # of a reading begun by an older version: whole
        return keep_pages(
            self.store, project, settings["name"], partial.treebank(), partial.report, made, cancelled=cancelled
        )  # fmt: skip


def read_pages(apart: Apart, parts: Sequence[bytes], paths: Sequence[str], how: dict) -> tuple[dict, list[bytes]]:
    """Read pages in a process of its own, from the state of a Partial or the beginning; gives the state at the end.

    ``how`` are arguments of ``extract_sentences``. The reports say how far it is, and now and then bring the state.
    """
    partial = Partial.from_bytes(parts[0]) if parts[0] else Partial()
    reporter = _Reporter(apart)
    extract_sentences(
        [Path(path) for path in paths], **how, limits=LIMITS, cancel=apart.cancelled, resume=partial, keep=reporter
    )
    return {}, [partial.to_bytes()]


class _Reporter:
    """Reports a few times a second how far reading is, and less often what has been read."""

    def __init__(self, apart):
        self.apart, self.reported, self.saved = apart, float("-inf"), time.monotonic()

    def __call__(self, partial):
        now = time.monotonic()
        if now - self.reported < REPORT_SECONDS:
            return
        self.reported, saves = now, now - self.saved >= SAVE_SECONDS
        self.apart.report(_figures(partial), [partial.to_bytes()] if saves else [])
        if saves:
            self.saved = time.monotonic()


def _report(job, expected, figures, parts, message=""):
    """Report to a job how far reading is, and keep its checkpoint where there is one."""
    fraction = min(figures["documents"] / expected, 1.0) if expected else None
    job.report(figures["documents"], fraction, figures | {"expected": expected}, message)
    for state in parts:
        job.checkpoint(state)


def _figures(partial):
    """The figures of a reading so far."""
    report = partial.report
    figures = {"documents": partial.documents, "pages": report.pages, "sentences": report.sentences}
    return figures | {"brackets": report.brackets, "skipped": len(report.skipped)}


def _count(paths):
    """The number of pages in files, with skipped ones; None where only reading can tell."""
    count = 0
    for path in paths:
        if path.name.lower().endswith((".warc", ".warc.gz")):
            return None
        try:
            with zipfile.ZipFile(path) as archive:
                count += sum(not entry.filename.endswith("/") for entry in archive.infolist())
        except DAMAGE:
            count += 1  # a page, or a damaged archive, which is skipped as one
    return count


def _folder(settings):
    """The folder where the files of a reading wait. Raises WorkbenchError for any other folder, as from a backup."""
    token = settings.get("folder")
    if not isinstance(token, str) or not TOKEN.fullmatch(token):
        raise WorkbenchError("this reading does not say where its files are; choose them again")
    return workbench_home() / FOLDER / token


def _paths(settings):
    """The files of a reading, all of them within its folder. Raises WorkbenchError."""
    folder, names = _folder(settings), [PurePath(str(name)) for name in settings.get("files", ())]
    if any(len(name.parts) != 2 or not name.parts[0].isdecimal() or name.name == ".." for name in names):
        raise WorkbenchError("this reading names files that were not given to it; choose them again")
    return [folder / name for name in names]


def _waits(settings):
    """Whether the files of a reading are still there."""
    try:
        return bool(_paths(settings)) and _folder(settings).is_dir()
    except WorkbenchError:
        return False
