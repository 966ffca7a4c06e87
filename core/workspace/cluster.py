"""Training on a cluster: the text as shards in the workbench's folder, and the engine that reads them there."""

import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from core.jobs import Job
from core.shards.engine import CLUSTER, Cluster, Engine, Reporting
from core.shards.folder import Shards
from core.shards.text import WORDS, write_text
from core.store import workbench_home
from core.treebank import Treebank
from core.trees.brackets import Bracket

FOLDER = "shards"


@contextmanager
def maybe_distribute(
    job: Job, treebank: Treebank, brackets: Sequence[Sequence[Bracket]] | None = None
) -> Iterator[tuple[Treebank | Shards, Engine | None]]:
    """(text, engine) to train with: the treebank and None, or its shards and the server's cluster.

    The cluster is used where ``WORKBENCH_CLUSTER`` has the address of a Dask scheduler and the text makes two shards or
    more. Its workers see the workbench's folder under the same path. The shards are removed afterwards.

    Raises WorkbenchError where the cluster does not answer, or the shards cannot be written.
    """
    address = os.environ.get(CLUSTER)
    if not address or treebank.token_count <= WORDS:
        yield treebank, None
        return

    def report(done, count):
        job.set_detail(f"{done} of {count} shards")

    folder = workbench_home() / FOLDER / str(job.run)
    shutil.rmtree(folder, ignore_errors=True)  # left by a process that was killed
    try:
        with Cluster(address) as cluster:
            yield write_text(treebank, folder, brackets, words=WORDS), Reporting(cluster, report, job.cancelled)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
