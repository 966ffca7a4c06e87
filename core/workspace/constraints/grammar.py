"""Training a grammar from lines by posterior regularisation, as a system beside the tree CRF on the same page."""

import io
from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from core.annotation.uncertainty import head_entropies
from core.constraints import Together
from core.constraints.grammar import Grammar
from core.constraints.grammar_attribution import arc_odds
from core.constraints.preview import GrammarArcs
from core.errors import WorkbenchError
from core.parsers import load_parser
from core.parsers.dmv.symbols import tagged_throughout
from core.store import Corpus, Run
from core.treebank import Treebank
from core.workspace.constraints.arcs import Why, grammar_why
from core.workspace.constraints.grammar_plan import GrammarPlan, default_plan
from core.workspace.constraints.grammar_run import grammar_work, grammar_worth_work
from core.workspace.constraints.learner import Learner, learner_kinds
from core.workspace.constraints.text import GRAMMAR, Text
from core.workspace.system import Citation, Kind, Work


class LineGrammar(Learner[GrammarPlan]):
    """Extended-valence dependency grammars over the words of a text without its punctuation, learnt from lines."""

    kind = GRAMMAR
    name = "grammar"
    version, worth_kind = f"{GRAMMAR}-version", f"{GRAMMAR}-worth"
    kinds: ClassVar[Mapping[str, Kind]] = learner_kinds(
        GRAMMAR, "grammar from constraints",
        "A dependency grammar (DMV with extended valence) was learnt from constraints by posterior regularization",
    )  # fmt: skip
    keeps_learnt = True
    objective = "dual, nats a word"
    document = "grammar-training"
    plan_class = GrammarPlan
    citation = Citation(
        "Ganchev et al., 2010",
        "Kuzman Ganchev, João Graça, Jennifer Gillenwater and Ben Taskar (2010). Posterior Regularization for "
        "Structured Latent Variable Models. Journal of Machine Learning Research 11.",
    )
    _cut = ("words",)

    def usual_plan(self, corpus: Corpus) -> GrammarPlan:
        """What suits a Corpus. Raises WorkbenchError where no word has a tag."""
        return default_plan(self.workspace.treebank(corpus))

    @staticmethod
    def usable(treebank: Treebank, tags: str) -> Treebank:
        """The sentences of which each word has a tag, without punctuation."""
        treebank.tag_column(tags)  # says so where it is empty
        words = treebank.without_punctuation()
        tagged = tagged_throughout(words, tags)
        if not tagged.any():
            raise WorkbenchError(
                "no sentence has a tag on each of its words; tag the text on the Corpus page, or choose the tree CRF"
            )
        return words if tagged.all() else words.select(tagged)

    @staticmethod
    def whole(bank: Treebank, treebank: Treebank) -> Treebank:
        """The sentences of ``bank`` that words were taken from."""
        return bank.select(np.isin(bank.picks, treebank.picks))

    def work(self, inputs: Text, plan: GrammarPlan) -> Work:
        """Training on a Text from its set."""
        return grammar_work(self.workspace, inputs, plan, self.known_trees)

    def parser(self, run: Run) -> Grammar | Together:
        """The parser that a finished run trained."""
        return self._kept("models", run.id, lambda: load_parser(io.BytesIO(self.load(run).model or b"")))

    def arcs(self, run: Run) -> GrammarArcs:
        """The model of a finished run on its text."""

        return self._kept("scores", run.id, lambda: GrammarArcs.of(self.parser(run), self.inputs_of(run)[0].sentences))

    def entropies(self, run: Run) -> tuple[np.ndarray, np.ndarray]:
        """Of the heads of each sentence that it was trained on: an upper bound of the entropy of its trees."""
        outcome = self.load(run)
        return outcome.inputs.treebank.picks, head_entropies(outcome.marginals)

    def why(self, run: Run, sentence: int, head: int, modifier: int, against: int | None = None) -> Why:
        """What pulled an arc of a run's text in or out: its log-odds."""
        alone = self.arcs(run).select(np.array([sentence]))
        model = self.parser(run)
        bare = model.with_second_order(None)  # whose votes are among the log-weights
        found = arc_odds(bare, alone.words, alone.fixed.values, head, modifier, against)
        return grammar_why(model.constraints, found, against, isinstance(model, Grammar))

    def _worth_work(self, run: Run) -> Work:
        return grammar_worth_work(self.inputs_of(run)[0], self.parser(run))
