"""A grammar trained from constraints by posterior regularisation, as a system on the page of the tree CRF."""

import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from typing import ClassVar

import numpy as np

from core.annotation.uncertainty import head_entropies
from core.callbacks import Cancel
from core.constraints import Constraint, ParserEnsemble, warming
from core.constraints.authoring.arc_effects import arc_effects
from core.constraints.authoring.preview import ArcModel, GrammarArcs
from core.constraints.grammar.judging import TaughtParser
from core.constraints.grammar.model import Grammar
from core.constraints.grammar.projected import ProjectedParser, ProjectionResult
from core.constraints.grammar.ruled import target_shares
from core.constraints.grammar.training import GrammarProgress, GrammarResult, train_grammar
from core.errors import FormatError, WorkbenchError
from core.parsers import load_parser
from core.parsers.decoding import PosteriorParser
from core.parsers.dmv.symbols import tagged_throughout
from core.parsers.prior import NONE
from core.rules.reading import parse_rules
from core.store import Corpus, Run
from core.treebank import Column, Treebank
from core.workspace.checks import Checks
from core.workspace.cluster import maybe_distribute
from core.workspace.constraints.ablation import grammar_ablation_work
from core.workspace.constraints.answers import with_answers
from core.workspace.constraints.conditioning import begins_with_prior, between_words, loaded, prior_of
from core.workspace.constraints.effects import ConstraintWhy, constraint_why
from core.workspace.constraints.first_parse import first_arcs, first_outcome, prior_key
from core.workspace.constraints.inputs import (
    GRAMMAR,
    ConstraintInputs,
    ConstraintOutcome,
    learner_kinds,
    marginals_of,
    parsed,
    read_outcome,
)
from core.workspace.constraints.known_trees import KnownTrees, align_rows
from core.workspace.constraints.learner import PATIENCE, LearningSystem
from core.workspace.constraints.plan import GrammarPlan, default_plan
from core.workspace.constraints.results import score
from core.workspace.corpora import text_brackets
from core.workspace.live import LiveParses
from core.workspace.parse import Parse
from core.workspace.scored_text import scored_text
from core.workspace.scoring import score_figures
from core.workspace.system import Citation, Kind, Work, file_bytes
from core.workspace.workspace import Workspace

LearntParser = Grammar | ParserEnsemble | ProjectedParser  # what a run keeps


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
                watch(reports[0], lambda: parsed(arcs_of(grammar, text))[0])

        try:
            brackets = None if plan.brackets == "none" else text_brackets(text.sentences, text.corpus.reference)
            settings = plan.grammar_settings()
            prior = prior_of(workspace, text)
            rules = {} if prior is None else target_shares(parse_rules(plan.rules), prior.relations)
            prior = prior if prior is None or known is None else TaughtParser(prior, known.treebank)
            train = partial(
                train_grammar, start=start, prior=prior, rules=rules, progress=progress, cancel=job.cancelled
            )
            if heads is None and prior is None and not (settings.second_order or settings.together):
                with maybe_distribute(job, text.sentences, brackets) as (sentences, engine):
                    result = train(sentences, constraints, settings, brackets=brackets, engine=engine)
            else:  # trees, a prior and further parsers need the whole text
                result = train(text.sentences, constraints, settings, brackets=brackets, trees=heads)
        finally:
            workspace.show_live(job.run, None, None)
        outcome = outcome_of(text, plan, result.model)
        figures = _figures(result, used, known) | {"iterations": reports[0]}
        end = {"stage": "the grammar that is kept"} | {name: figures[name] for name in ("objective", "expectations")}
        job.report(reports[0] + 1, 1.0, end)  # so that its curves end where the run says
        scored = score(scored_text(workspace, text.corpus), text, outcome, learnt)
        figures |= score_figures(scored, learnt)
        return figures, outcome.to_bytes()

    return work


def _of_all(used, expectations):
    """The shares of all constraints of a set, 0 for those that match nothing and were left out, as list of float."""
    shares = np.zeros(len(used))
    shares[used] = expectations
    return shares.tolist()


def _figures(result: GrammarResult, used: np.ndarray, known: KnownTrees | None) -> dict:
    figures: dict = {
        "objective": result.dual,
        "gap": result.gap,
        "expectations": _of_all(used, result.expectations),
        "end": result.status,
        "training_seconds": result.seconds,
        "unmet": [line.name for line in result.unmet],
        "held_out": result.held_out,
    }
    if isinstance(result, ProjectionResult):
        figures |= asdict(result.strains) | {"rules": [each.values for each in result.rules]}
        figures |= {"left_out": [group.values for group in result.left_out]} if result.left_out else {}
    if known is not None:
        figures["trees"] = known.counts(len(known.problems) + len(result.crossing))
        figures["stacked"] = result.learnt
    return figures


def outcome_of(text: ConstraintInputs, plan: GrammarPlan, model: PosteriorParser) -> ConstraintOutcome:
    """The ConstraintOutcome of a model on a text, with the file of the model."""
    if isinstance(model, ProjectedParser) and model.rules:  # heads and relations are chosen together
        ruled, marginals = between_words(model.parse(text.sentences), text.treebank), marginals_of(arcs_of(model, text))
        heads, named = ruled.heads, ruled.deprel
    else:
        heads, marginals = parsed(arcs_of(model, text))
        named = model.label(text.treebank, heads) if model.labelled else None
    marginals = marginals.like(marginals.values.astype(np.float32))
    relations = named if isinstance(named, Column | None) else Column.intern(named)
    parse = Parse(heads, relations, marginals=marginals)
    return ConstraintOutcome(inputs=text, plan=plan, parse=parse, model=file_bytes(model))


def arcs_of(model: PosteriorParser, text: ConstraintInputs) -> GrammarArcs:
    """The model of a text, whose trees respect its mark-up as its settings say."""
    return GrammarArcs.of(model, text.sentences, text.respected, text.settings.brackets)


def read_model(data: bytes, text: ConstraintInputs) -> LearntParser:
    """The model of a finished run on a text. Raises FormatError."""
    return _grammar(read_outcome(data, None, text, GRAMMAR).model)


def _grammar(data: bytes | None) -> LearntParser:
    model = load_parser(io.BytesIO(data or b""))
    if isinstance(model, ProjectedParser):
        return model.with_cache()
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

    def continues(self, former: ConstraintOutcome, inputs: ConstraintInputs) -> bool:
        """Whether a former grammar knows all tags of a text by now."""
        return inputs.tag_counts.keys() <= former.inputs.tag_counts.keys()

    def plan(self, corpus: Corpus) -> GrammarPlan:
        """As of every system, with the answers that serve the text."""
        return with_answers(self.store, corpus, super().plan(corpus))

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
        """As for every learner, but no constraint is needed where training begins with a prior.

        Raises ConstraintError, too, for rules that are no targets.
        """
        if plan.prior == NONE:
            super().require_trainable(constraints, plan)
        target_shares(parse_rules(plan.rules), loaded(self.workspace).relations if plan.rules else ())
        if plan.rules and plan.brackets != "none":
            raise WorkbenchError(
                "rules are counted on trees without brackets; in Settings, Trees, choose None for Brackets, or leave "
                "out the rules"
            )

    # Before training: the universal parser's trees, where the plan begins with it

    def first_outcome(self, text: ConstraintInputs, cancel: Cancel | None = None) -> ConstraintOutcome:
        """The outcome of the prior of a text; of the untrained model where it has none."""
        if not begins_with_prior(text):
            return super().first_outcome(text, cancel)
        return self.cached("changes", prior_key(text), lambda: first_outcome(self.workspace, text, cancel))

    def has_first(self, text: ConstraintInputs, run: Run | None) -> bool:
        """As of every learner: the universal parser reads a long text for seconds, after each answer."""
        if not begins_with_prior(text) or (run is not None and self.newest(text, before=run.id) is not None):
            return True
        checks = self.cached("first checks", text.corpus.id, Checks)
        read = checks.ask(prior_key(text), lambda cancel: self.first_outcome(text, cancel) is not None, PATIENCE)
        return read is not None

    def first_arcs(self, text: ConstraintInputs) -> ArcModel:
        """The model of ``first_outcome``. Seconds where the text is long."""
        if not begins_with_prior(text):
            return super().first_arcs(text)
        return self.cached("scores", prior_key(text), lambda: first_arcs(self.workspace, text))

    def relations(self, outcome: ConstraintOutcome, part: Treebank) -> np.ndarray | None:
        if outcome.prior is None or outcome.parse.relations is None:
            return super().relations(outcome, part)
        return outcome.parse.relations.strings()  # of the text that it is a parse of

    def work(self, inputs: ConstraintInputs, plan: GrammarPlan) -> Work:
        return grammar_work(self.workspace, inputs, plan, self.known_trees, self.learnt_by)

    def parser(self, run: Run) -> LearntParser:
        return self.cached("models", run.id, lambda: _grammar(self.load(run).model))

    def arcs(self, run: Run) -> GrammarArcs:
        """The model of a finished run on its text."""
        return self.cached("scores", run.id, lambda: arcs_of(self.parser(run), self.inputs_of(run)[0]))

    def entropies(self, run: Run) -> tuple[np.ndarray, np.ndarray]:
        """The entropies of the heads of each training sentence, an upper bound of the entropy of its trees."""
        outcome = self.load(run)
        return outcome.inputs.treebank.picks, head_entropies(outcome.marginals)

    def why(self, run: Run, sentence: int, head: int, modifier: int) -> ConstraintWhy:
        """The ConstraintWhy of an arc of a run's text."""
        model = self.parser(run)

        def make():
            return constraint_why(model.constraints, arc_effects(model, self.arcs(run).select(alone), head, modifier))

        alone = np.array([sentence])
        return self.cached("arcs", (run.id, sentence, head, modifier), make)

    def keeps_learnt(self, run: Run) -> bool:
        return not isinstance(self.parser(run), ProjectedParser)

    def ablation_work(self, text: ConstraintInputs, run: Run) -> Work:
        return grammar_ablation_work(text, self.parser(run))
