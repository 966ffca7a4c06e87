"""A treebank fetched by name as a background job, which ends with a new text in the project."""

from dataclasses import asdict
from typing import SupportsIndex

from core.jobs import Snapshot
from core.store.places import treebank_folder
from core.treebank.downloads import RemoteFile, download
from core.workspace.corpora import add_corpus
from core.workspace.workspace import Workspace

KIND = "fetch"


def start_fetch(workspace: Workspace, project: SupportsIndex, file: RemoteFile) -> int:
    """Fetch a RemoteFile and add it to the project; returns the run's id. Its figures name the ``corpus``."""
    return workspace.jobs.start(project, KIND, asdict(file), _work(workspace.store, project, file), data_hash=file.blob)


def resume_fetch(workspace: Workspace, run_id: int) -> int:
    """Go on with a fetch that stopped half-way, from the bytes that came."""
    run = workspace.store.run(run_id)
    return workspace.jobs.resume(run_id, _work(workspace.store, run.project, RemoteFile(**run.settings)))


def last_fetch(workspace: Workspace, project: SupportsIndex) -> Snapshot | None:
    """The Snapshot of the newest fetch of a project, or None."""
    runs = workspace.store.runs(project, KIND)
    return workspace.jobs.snapshot(runs[0].id) if runs else None


def _work(store, project, file):
    def work(job):
        def progress(have):
            megabytes = f"{have / 1e6:.1f} of {file.size / 1e6:.1f} MB of {file.name}"
            job.report(have, fraction=have / file.size, message=megabytes)

        path = download(file, treebank_folder(), progress, job.cancelled)
        job.report(file.size, fraction=1.0, message=f"Reading {file.name}")
        corpus, treebank = add_corpus(store, project, file.name, path.read_bytes(), "conllu")
        return {"corpus": corpus, "sentences": len(treebank), "words": treebank.token_count}, None

    return work
