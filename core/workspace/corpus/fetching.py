"""A treebank fetched by name as a background job, which ends with a new text in the project."""

from dataclasses import asdict
from typing import SupportsIndex

from core.jobs import Snapshot
from core.store import Run
from core.store.places import treebank_folder
from core.store.schema import stored
from core.treebank.downloads import RemoteFile, download
from core.workspace.corpora import add_corpus
from core.workspace.task import ProjectContent, Task, Work


class Fetch(Task[RemoteFile, ProjectContent]):
    """Fetches a RemoteFile and adds it to the project; the figures of a run name the ``corpus``."""

    kind = "fetch"
    replaces = False

    def recorded(self, inputs: ProjectContent, plan: RemoteFile) -> dict:
        return asdict(plan)

    def inputs_of(self, run: Run) -> tuple[ProjectContent, RemoteFile]:
        return ProjectContent(run.project, run.data_hash), stored(RemoteFile, run.settings)

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
