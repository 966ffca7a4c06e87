"""How each kind of example is made and opened: by the same functions as a user's own run, on the built-in sample."""

from dataclasses import replace

from core.workspace.adaptation.system import Adaptation
from core.workspace.consensus import runs as consensus_runs
from core.workspace.consensus.plan import ConsensusDesk
from core.workspace.workspace import Workspace


def makers(url):
    """A maker of every kind of example, by kind, all in the store at ``url``. Raises StoreError."""
    workspace = Workspace.open(url)
    return {
        consensus_runs.KIND: _Consistent(consensus_runs.KIND, ConsensusDesk(workspace)),
        Adaptation.kind: _Adapted(Adaptation.kind, Adaptation(workspace)),
    }


class _Maker:
    """One kind of example, with the settings that a text begins with."""

    def __init__(self, kind, desk):
        self.kind, self.desk, self.jobs = kind, desk, desk.workspace.jobs

    def finished(self):
        """The newest Run that was done on today's sample, or None."""
        corpus, _, texts = self._planned()
        runs = self.desk.store.runs(corpus.project, self.kind)
        return next((run for run in runs if run.status == "done" and run.data_hash == texts.hash), None)

    def _planned(self):
        corpora = self.desk.store.corpora(self.desk.store.default_project())
        corpus = next(each for each in corpora if each.reference == "sample")
        plan = self.desk.plan(corpus)
        return corpus, plan, self.desk.texts(corpus, plan)


class _Consistent(_Maker):
    def start(self):
        _, plan, texts = self._planned()
        return consensus_runs.start_consensus(self.desk, texts, plan)

    def outcome(self):
        run = self.finished()
        if run is None:
            return None
        outcome = consensus_runs.load_outcome(self.desk, run)
        return replace(outcome, texts=replace(outcome.texts, corpus=None))


class _Adapted(_Maker):
    def _planned(self):
        corpora = self.desk.store.corpora(self.desk.store.default_project())
        corpus = next(each for each in corpora if each.reference == "sample")
        plan = self.desk.plan(corpus)
        return corpus, plan, self.desk.inputs(corpus, plan)

    def start(self):
        _, plan, inputs = self._planned()
        return self.desk.start(inputs, plan)

    def outcome(self):
        run = self.finished()
        if run is None:
            return None
        outcome = self.desk.load(run)
        return replace(outcome, inputs=replace(outcome.inputs, target=None))
