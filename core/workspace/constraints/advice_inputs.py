"""The inputs of advice: a text, its training state, and the other texts of its project."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

import numpy as np

from core.advice import ANSWER, KIN, QUESTIONS, Advice, OtherText, TrainingState
from core.errors import StoreError
from core.parsers.prior import NEAREST, NONE
from core.store import Corpus
from core.treebank import Treebank
from core.workspace.constraints.advice_record import AdviceState
from core.workspace.constraints.conditioning import prior_of
from core.workspace.constraints.inputs import ConstraintInputs
from core.workspace.constraints.known_trees import known_heads
from core.workspace.constraints.plan import GrammarPlan
from core.workspace.corpora import text_brackets
from core.workspace.system import Inputs
from core.workspace.texts import PARSE_OF
from core.workspace.workspace import Workspace


@dataclass(frozen=True, eq=False, kw_only=True)
class AdviceInputs(Inputs):
    """The open text with its constraints, and the other texts that are learnt from.

    Attributes
    ----------
    text : ConstraintInputs
        The text as the grammar is trained on it.
    taken : tuple of OtherText
    """

    text: ConstraintInputs
    taken: tuple[OtherText, ...] = ()

    @property
    def constraint_text(self) -> str:
        return self.text.constraint_text

    @property
    def treebanks(self) -> dict[str, Treebank]:
        return {"training text": self.text.sentences} | {source.name: source.treebank for source in self.taken}


def training_state_of(workspace: Workspace, inputs: AdviceInputs) -> TrainingState:
    """The training state of the text itself: the constraints that match something, and the trees known by now.

    The text's own trees are scored on, and learnt from where its settings say so; those corrected by hand are both.
    Where training begins with what other languages know, so does what is trained here.
    """
    text, plan = inputs.text, inputs.text.settings
    assert isinstance(plan, GrammarPlan)  # the text is the grammar's
    known = known_heads(workspace, text)
    bare = np.full(len(text.treebank.heads), -1, np.int32) if known is None else known.heads
    picks = text.sentences.picks
    learnt = np.ones(len(picks), bool)
    if known is not None and not known.by_hand:
        counted = workspace.settled(inputs.corpus).corrections.counted
        learnt = np.isin(picks, [*(number - 1 for number in plan.marked), *counted])
    settings = replace(plan.grammar_settings(), words="no", second_order=False, together=False)
    brackets = None if plan.brackets == "none" else text_brackets(text.sentences, inputs.corpus.reference)
    prior = prior_of(workspace, text)
    prior = None if prior is None else prior.with_cache()  # each training reads the same sentences
    heads = text.heads_of_all(bare)
    return TrainingState.of(text.sentences, text.constraint_set.usable, heads, settings, learnt, brackets, prior)


def other_texts(workspace: Workspace, corpus: Corpus) -> list[Corpus]:
    """The other corpora of the project that could be learnt from: those that are no parse of a text."""
    listed = workspace.store.corpora(corpus.project)
    return [other for other in listed if other.id != corpus.id and PARSE_OF not in other.settings]


def source_of(workspace: Workspace, corpus: Corpus, longest: int | None) -> OtherText | None:
    """A Corpus as an OtherText, its sentences of at most so many words; with brackets if it has mark-up and no trees.

    None where it has no such sentence.
    """
    treebank = workspace.treebank(corpus)
    treebank = treebank if longest is None else treebank.max_length(longest)
    if not len(treebank):
        return None
    source = OtherText(corpus.name, treebank, corpus.id)
    if (treebank.heads >= 0).any():
        return source
    brackets = text_brackets(treebank, corpus.reference)
    return replace(source, brackets=brackets) if any(brackets) else source


def digest(training_state: TrainingState, plan: GrammarPlan, texts: Sequence[int], others: Sequence[int]) -> str:
    """A hash of the training state that advice was given on, with the texts learnt from and all others.

    It covers the prior of the ``plan``, where training begins with one.
    """
    content = [
        training_state.text.content_hash, [line.text for line in training_state.lines], list(texts), list(others),
        asdict(training_state.settings),
        hashlib.sha256(training_state.heads.tobytes() + training_state.learnt.tobytes()).hexdigest(),
    ]  # fmt: skip
    if plan.prior != NONE:
        content.append([plan.prior, plan.word_order, list(plan.kin)])
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()[:16]


def sources(workspace: Workspace, inputs: AdviceInputs, texts: Sequence[int]) -> list[OtherText]:
    """The OtherTexts of some corpora. Raises StoreError for one that was removed."""
    others = {other.id: other for other in other_texts(workspace, inputs.corpus)}
    if not others.keys() >= set(texts):
        raise StoreError("a text that was learnt from has been removed from the project")
    loaded = (source_of(workspace, others[number], inputs.text.settings.max_length) for number in texts)
    return [source for source in loaded if source is not None]


def still_open(advice: Sequence[Advice], plan: GrammarPlan) -> list[Advice]:
    """The advice that can be followed: no languages that the plan has changed. Answered questions stay."""

    def is_open(piece):
        if piece.kind in (ANSWER, QUESTIONS):
            return plan.prior != NONE
        if piece.kind != KIN:
            return True
        taken = plan.prior == NEAREST and plan.kin == (piece.languages or ())
        return plan.prior != NONE and (taken if piece.languages is None else not taken)

    return [piece for piece in advice if is_open(piece)]


def advice_state_of(inputs: AdviceInputs, training_state: TrainingState) -> AdviceState:
    """The AdviceState of a training state, as records hold it."""
    learnt = training_state.text.picks[np.flatnonzero(training_state.learnt)].tolist()
    return AdviceState(inputs.constraint_text, learnt, [source.number for source in inputs.taken])
