"""A grammar trained from constraints by posterior regularisation, as a system on the page of the tree CRF."""

import io
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import ClassVar

import numpy as np

from core.annotation.uncertainty import head_entropies
from core.constraints import Constraint, ParserEnsemble, warming
from core.constraints.authoring.grammar_attribution import arc_odds
from core.constraints.authoring.preview import GrammarArcs
from core.constraints.grammar.model import Grammar
from core.constraints.grammar.training import GrammarProgress, GrammarResult, train_grammar
from core.errors import FormatError, WorkbenchError
from core.parsers import load_parser
from core.parsers.decoding import PosteriorParser
from core.parsers.dmv.symbols import tagged_throughout
from core.parsers.prior import NONE
from core.store import Corpus, Run
from core.treebank import Column, Treebank
from core.workspace.cluster import maybe_distribute
from core.workspace.constraints.ablation import grammar_ablation_work
from core.workspace.constraints.conditioning import prior_of
from core.workspace.constraints.explanations import Why, grammar_why
from core.workspace.constraints.inputs import (
    GRAMMAR,
    ConstraintInputs,
    ConstraintOutcome,
    learner_kinds,
    parsed,
    read_outcome,
)
from core.workspace.constraints.known_trees import KnownTrees, align_rows
from core.workspace.constraints.learner import LearningSystem
from core.workspace.constraints.plan import GrammarPlan, default_plan
from core.workspace.constraints.results import score_figures
from core.workspace.corpora import text_brackets
from core.workspace.live import LiveParses
from core.workspace.parse import Parse
from core.workspace.system import Citation, Kind, Work, file_bytes
from core.workspace.workspace import Workspace


def grammar_work(
    workspace: Workspace, text: ConstraintInputs, plan: GrammarPlan,
    known_trees: Callable[[ConstraintInputs], KnownTrees | None], learnt_by: Callable[[ConstraintInputs], np.ndarray],
) -> Work:  # fmt: skip
    """``work(job)`` for ``Jobs``: trains a grammar on a text from its set and reports every iteration.

    It begins from the model of the run ``text.start``. Raises ConstraintError for a set that cannot be read.
    """
    constraints = text.constraint_set.required()
    used = np.array([coverage.pairs > 0 for coverage in text.constraint_set.coverages], bool)

    def work(job):
        known, learnt, reports = known_trees(text), learnt_by(text), [0]
        heads = None if known is None else text.heads_of_all(align_rows(text, known.parts))
        start = None if text.start is None else read_model(workspace.store.result_bytes(text.start) or b"", text)
        watch = LiveParses(workspace, job.run)

        def progress(state: GrammarProgress):
            reports[0] += 1
            figures = {
                "objective": state.dual, "expectations": _of_all(used, state.expectations), "stage": state.stage
            }  # fmt: skip
            job.report(reports[0], state.fraction, figures)
            if state.grammar is not None:
                grammar = state.grammar
                watch(reports[0], lambda: parsed(GrammarArcs.of(grammar, text.sentences))[0])

        try:
            brackets = None if plan.brackets == "none" else text_brackets(text.sentences, text.corpus.reference)
            settings = plan.grammar_settings()
            prior = prior_of(workspace, text, None if known is None else known.treebank)
            train = partial(train_grammar, start=start, prior=prior, progress=progress, cancel=job.cancelled)
            if heads is None and prior is None and not (settings.second_order or settings.together):
                with maybe_distribute(job, text.sentences, brackets) as (sentences, engine):
                    result = train(sentences, constraints, settings, brackets=brackets, engine=engine)
            else:  # trees, a prior and further parsers need the whole text
                result = train(text.sentences, constraints, settings, brackets=brackets, trees=heads)
        finally:
            workspace.show_live(job.run, None, None)
        outcome = outcome_of(text, plan, result.model)
        figures = _figures(result, used, known) | {"iterations": reports[0]}
        figures |= score_figures(text.treebank, outcome.heads, learnt)
        return figures, outcome.to_bytes()

    return work


def _of_all(used, expectations):
    """The shares of all constraints of a set, 0 for those that match nothing and were left out, as list of float."""
    shares = np.zeros(len(used))
    shares[used] = expectations
    return shares.tolist()


def _figures(result: GrammarResult, used: np.ndarray, known: KnownTrees | None) -> dict:
    figures = {
        "objective": result.dual,
        "gap": result.gap,
        "expectations": _of_all(used, result.expectations),
        "end": result.status,
        "training_seconds": result.seconds,
        "unmet": [line.name for line in result.unmet],
        "held_out": result.held_out,
    }
    if known is not None:
        left_out = len(known.problems) + len(result.crossing)
        figures["trees"] = {"complete": known.complete, "partial": known.partial, "left_out": left_out}
        figures["stacked"] = result.learnt
    return figures


def outcome_of(text: ConstraintInputs, plan: GrammarPlan, model: PosteriorParser) -> ConstraintOutcome:
    """The ConstraintOutcome of a model on a text, with the file of the model."""
    heads, marginals = parsed(GrammarArcs.of(model, text.sentences))
    marginals = marginals.like(marginals.values.astype(np.float32))
    named = model.label(text.treebank, heads) if model.labelled else None
    relations = named if isinstance(named, Column | None) else Column.intern(named)
    parse = Parse(heads, relations, marginals=marginals)
    return ConstraintOutcome(inputs=text, plan=plan, parse=parse, model=file_bytes(model))


def read_model(data: bytes, text: ConstraintInputs) -> Grammar | ParserEnsemble:
    """The model of a finished run on a text. Raises FormatError."""
    return _grammar(read_outcome(data, None, text, GRAMMAR).model)


def _grammar(data: bytes | None) -> Grammar | ParserEnsemble:
    model = load_parser(io.BytesIO(data or b""))
    if not isinstance(model, Grammar | ParserEnsemble):
        raise FormatError("this run kept a parser that is no grammar; train again")
    return model


class GrammarSystem(LearningSystem[GrammarPlan]):
    """Extended-valence dependency grammars over a text without its punctuation, learnt from constraints."""

    kind = GRAMMAR
    name = "grammar"
    kinds: ClassVar[Mapping[str, Kind]] = learner_kinds(
        GRAMMAR, "grammar from constraints",
        "A dependency grammar (DMV with extended valence) was learnt from constraints by posterior regularization",
    )  # fmt: skip
    warming = warming.GRAMMAR
    keeps_learnt = True
    objective = "dual, nats a word"
    document = GrammarPlan.document
    plan_class = GrammarPlan
    citation = Citation(
        "Ganchev et al., 2010",
        "Kuzman Ganchev, João Graça, Jennifer Gillenwater and Ben Taskar (2010). Posterior Regularization for "
        "Structured Latent Variable Models. Journal of Machine Learning Research 11.",
    )
    _cut = ("words",)

    def usual_plan(self, corpus: Corpus) -> GrammarPlan:
        """The usual plan of a Corpus. Raises WorkbenchError where no word has a tag."""
        settled = self.workspace.settled(corpus)
        return default_plan(settled.treebank, settled.file_has_trees)

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

    def require_trainable(self, constraints: Sequence[Constraint], plan: GrammarPlan) -> None:
        """As for every learner, but no constraint is needed where training begins with a prior."""
        if plan.prior == NONE:
            super().require_trainable(constraints, plan)

    def work(self, inputs: ConstraintInputs, plan: GrammarPlan) -> Work:
        return grammar_work(self.workspace, inputs, plan, self.known_trees, self.learnt_by)

    def parser(self, run: Run) -> Grammar | ParserEnsemble:
        return self.cached("models", run.id, lambda: _grammar(self.load(run).model))

    def arcs(self, run: Run) -> GrammarArcs:
        """The model of a finished run on its text."""
        return self.cached("scores", run.id, lambda: GrammarArcs.of(self.parser(run), self.inputs_of(run)[0].sentences))

    def entropies(self, run: Run) -> tuple[np.ndarray, np.ndarray]:
        """The entropies of the heads of each training sentence, an upper bound of the entropy of its trees."""
        outcome = self.load(run)
        return outcome.inputs.treebank.picks, head_entropies(outcome.marginals)

    def why(self, run: Run, sentence: int, head: int, modifier: int, against: int | None = None) -> Why:
        """The Why of an arc of a run's text: its log-odds."""
        alone = self.arcs(run).select(np.array([sentence]))
        model = self.parser(run)
        bare = model.without_votes()  # whose votes are among the log-weights
        odds = arc_odds(bare, alone.words, alone.fixed.values, head, modifier, against)
        return grammar_why(model.constraints, odds, against, isinstance(model, Grammar))

    def ablation_work(self, text: ConstraintInputs, run: Run) -> Work:
        return grammar_ablation_work(text, self.parser(run))
