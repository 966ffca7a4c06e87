"""A treebank fetched by name as a background job, which ends with a new text in the project."""

from typing import SupportsIndex

from core.jobs import Snapshot
from core.store import Run, RunKind
from core.store.locations import treebank_folder
from core.treebank.downloads import RemoteFile, download, listed_file
from core.workspace.corpora import add_corpus
from core.workspace.task import MadeText, ProjectContent, Task, Work


class Fetch(Task[RemoteFile, ProjectContent]):
    """Fetches a RemoteFile and adds it to the project; the figures of a run name the ``corpus``."""

    kind = "fetch"
    replaces = False

    def recorded(self, inputs: ProjectContent, plan: RemoteFile) -> dict:
        return {"treebank": plan.treebank, "name": plan.name, "size": plan.size, "blob": plan.blob}

    def inputs_of(self, run: Run) -> tuple[ProjectContent, RemoteFile]:
        """The file as its repository lists it now.

        A run may have come with a backup: where the file is, and how large, is not asked of its record.
        """
        file = listed_file(run.settings.get("treebank"), run.settings.get("name"), run.data_hash)
        return ProjectContent(run.project, file.blob), file

    def work(self, inputs: ProjectContent, plan: RemoteFile) -> Work:
        def work(job):
            def progress(have):
                megabytes = f"{have / 1e6:.1f} of {plan.size / 1e6:.1f} MB of {plan.name}"
                job.report(have, fraction=have / plan.size, message=megabytes)

            path = download(plan, treebank_folder(), progress, job.cancelled)
            job.report(plan.size, fraction=1.0, message=f"Reading {plan.name}")
            corpus, treebank = add_corpus(self.store, inputs.project, plan.name, path.read_bytes(), "conllu")
            return {"corpus": corpus, "sentences": len(treebank), "words": treebank.token_count}, None

        return work

    def latest(self, project: SupportsIndex) -> Snapshot | None:
        """The Snapshot of the newest fetch of a project, or None."""
        runs = self.runs(project)
        return self.workspace.jobs.snapshot(runs[0].id) if runs else None


STORED = (RunKind(Fetch.kind, dict, MadeText),)
