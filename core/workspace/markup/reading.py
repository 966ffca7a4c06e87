"""Many pages read in the background: progress, a stop within a page, going on later, or keeping what is done.

Uploaded files wait in a folder of the workbench's home until the reading is done, kept or discarded. So it can go on
after a restart, too.
"""

import re
import shutil
import time
import zipfile
from collections.abc import Collection
from pathlib import PurePath
from typing import SupportsIndex
from uuid import uuid4

from core.errors import WorkbenchError
from core.jobs import Cancelled
from core.markup import extract_sentences
from core.markup.partial import Partial
from core.parsers.readers import ENGLISH
from core.store import RESUMABLE, Run, workbench_home
from core.unpacking import DAMAGE
from core.workspace.markup.pages import LIMITS, Files, file_names, is_archive, keep_pages, write_files
from core.workspace.task import ProjectContent, Task, Work

KIND = "markup"
FOLDER = "uploads"
TOKEN = re.compile(r"[0-9a-f]{32}")  # names a reading's folder
LARGE = 2 << 20  # bytes of pages: from here on reading is no matter of a moment
MANY = 40  # files
REPORT_SECONDS = 0.25  # between two reports


def takes_long(files: Files) -> bool:
    """Whether files, as ``add_pages`` takes them, are to be read in the background: an archive, or much text."""
    files = [(name, data) for name, data in files if data]
    size = sum(len(data) for _, data in files)
    return size > LARGE or len(files) > MANY or any(is_archive(name, data) for name, data in files)


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
        language: str | None = None,
    ) -> int:  # fmt: skip
        """Begin to read files, as ``add_pages`` takes them with the rest; returns the run's id.

        Raises WorkbenchError for nothing to read and for files that are too large, StoreError where they cannot be
        kept.
        """
        self.store.require_room(project, "these pages")
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
        }  # fmt: skip
        return self.start(ProjectContent(project), settings)

    def work(self, inputs: ProjectContent, plan: dict) -> Work:
        def work(job):
            folder, paths = _folder(plan), _paths(plan)
            reporter = _Reporter(job, _count(paths))
            partial = Partial.from_bytes(job.resumed) if job.resumed else Partial()
            extract_sentences(
                paths, punctuation=plan["punctuation"], language=plan.get("language"), limits=LIMITS,
                cancel=job.cancelled, resume=partial, keep=reporter,
            )  # fmt: skip
            try:
                if job.cancelled():
                    raise Cancelled
                reporter.report(partial, f"{partial.report.sentences:,} sentences read; tagging")
                corpus_id = self._kept(inputs.project, plan, partial, job.cancelled)
            except Cancelled:
                reporter.save(partial)
                raise
            shutil.rmtree(folder, ignore_errors=True)
            return reporter.figures(partial) | {"corpus": corpus_id}, None

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
        name, reader = settings["name"], settings["reader"]
        return keep_pages(self.store, project, name, partial.treebank(), partial.report, reader, cancelled=cancelled)


class _Reporter:
    """Reports to a job how far reading is, a few times a second, and keeps its checkpoint."""

    def __init__(self, job, expected):
        self.job, self.expected, self.last = job, expected, float("-inf")

    def __call__(self, partial):
        if time.monotonic() - self.last < REPORT_SECONDS:
            return
        self.last = time.monotonic()
        self.report(partial)
        self.job.checkpoint(partial.to_bytes)

    def save(self, partial):
        """What there is at the end, for whoever goes on."""
        self.report(partial)
        self.job.checkpoint(partial.to_bytes)

    def report(self, partial, message=""):
        """How far it is, and what is being done."""
        fraction = min(partial.documents / self.expected, 1.0) if self.expected else None
        self.job.report(partial.documents, fraction, self.figures(partial), message)

    def figures(self, partial):
        """What a reading has found so far."""
        report = partial.report
        figures = {"pages": report.pages, "sentences": report.sentences, "brackets": report.brackets}
        return figures | {"skipped": len(report.skipped), "expected": self.expected}


def _count(paths):
    """How many pages files hold, skipped ones among them; None where only reading tells."""
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
    """Where the files of a reading wait. WorkbenchError where another one is named, as in a backup."""
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
