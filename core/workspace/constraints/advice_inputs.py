"""What advice is asked on: a text, what there is to learn from in it, and the other texts of its project."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

import numpy as np

from core.advice import ANSWER, KIN, Advice, OtherText, TrainingState
from core.constraints.authoring.word_order import parse_order
from core.errors import StoreError
from core.parsers.prior import NEAREST, NONE
from core.store import Corpus
from core.treebank import Treebank
from core.workspace.annotations import Annotations
from core.workspace.constraints.advice_record import AdviceState
from core.workspace.constraints.known_trees import DONE, known_heads
from core.workspace.constraints.plan import GrammarPlan
from core.workspace.constraints.steering import prior_of
from core.workspace.constraints.text import Text
from core.workspace.corpora import text_brackets
from core.workspace.system import Inputs
from core.workspace.texts import PARSE_OF
from core.workspace.workspace import Workspace


@dataclass(frozen=True, eq=False, kw_only=True)
class AdviceInputs(Inputs):
    """The text that is open, its lines, and the other texts that are learnt from.

    Attributes
    ----------
    text : Text
        As the grammar is trained on it.
    taken : tuple of OtherText
    """

    text: Text
    taken: tuple[OtherText, ...] = ()

    @property
    def constraint_text(self) -> str:
        return self.text.constraint_text

    @property
    def treebanks(self) -> dict[str, Treebank]:
        return {"training text": self.text.sentences} | {each.name: each.treebank for each in self.taken}


def situation_of(workspace: Workspace, inputs: AdviceInputs) -> TrainingState:
    """What there is to learn from in the text itself: lines that match something, trees known by now.

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
        states = Annotations(workspace, inputs.corpus).states()
        done = [index for index, state in states.items() if state.status == DONE]
        learnt = np.isin(picks, [*(number - 1 for number in plan.marked), *done])
    settings = replace(plan.grammar_settings(), words="no", second_order=False, together=False)
    brackets = None if plan.brackets == "none" else text_brackets(text.sentences, inputs.corpus.reference)
    prior = prior_of(workspace, text)
    prior = None if prior is None else prior.with_cache()  # each training reads the same sentences
    heads = text.heads_of_all(bare)
    return TrainingState.of(text.sentences, text.lines.usable, heads, settings, learnt, brackets, prior)


def other_texts(workspace: Workspace, corpus: Corpus) -> list[Corpus]:
    """The corpora of the project that could be learnt from beside one: no parses of a text, and not itself."""
    listed = workspace.store.corpora(corpus.project)
    return [each for each in listed if each.id != corpus.id and PARSE_OF not in each.settings]


def source_of(workspace: Workspace, corpus: Corpus, longest: int | None) -> OtherText | None:
    """A Corpus as an OtherText, its sentences of at most so many words; with brackets if it has mark-up and no trees.

    None where it has no such sentence.
    """
    treebank = workspace.treebank(corpus)
    treebank = treebank if longest is None else treebank.max_length(longest)
    if not len(treebank):
        return None
    found = OtherText(corpus.name, treebank, corpus.id)
    if (treebank.heads >= 0).any():
        return found
    brackets = text_brackets(treebank, corpus.reference)
    return replace(found, brackets=brackets) if any(brackets) else found


def digest(situation: TrainingState, plan: GrammarPlan, texts: Sequence[int], others: Sequence[int]) -> str:
    """Names what advice was given on: the text, lines, known trees, settings, the other texts learnt from, and all.

    Of the ``plan``, what other languages know, where training begins with it.
    """
    content = [
        situation.text.content_hash, [line.text for line in situation.lines], list(texts), list(others),
        asdict(situation.settings),
        hashlib.sha256(situation.heads.tobytes() + situation.learnt.tobytes()).hexdigest(),
    ]  # fmt: skip
    if plan.prior != NONE:
        content.append([plan.prior, plan.word_order, list(plan.kin)])
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()[:16]


def sources(workspace: Workspace, inputs: AdviceInputs, texts: Sequence[int]) -> list[OtherText]:
    """The Sources of some corpora. Raises StoreError for one that was removed."""
    there = {each.id: each for each in other_texts(workspace, inputs.corpus)}
    if not there.keys() >= set(texts):
        raise StoreError("a text that was learnt from has been removed from the project")
    found = (source_of(workspace, there[number], inputs.text.settings.max_length) for number in texts)
    return [each for each in found if each is not None]


def still_open(advice: Sequence[Advice], plan: GrammarPlan) -> list[Advice]:
    """Advice but for questions that a plan answers by now, and for languages where it has others than were asked of."""
    answers = parse_order(plan.word_order)

    def is_open(each):
        if each.kind == ANSWER:
            return plan.prior != NONE and each.what not in answers
        if each.kind != KIN:
            return True
        taken = plan.prior == NEAREST and plan.kin == (each.languages or ())
        return plan.prior != NONE and (taken if each.languages is None else not taken)

    return [each for each in advice if is_open(each)]


def state_of(inputs: AdviceInputs, situation: TrainingState) -> AdviceState:
    """What there is to learn from, as a record has it."""
    learnt = situation.text.picks[np.flatnonzero(situation.learnt)].tolist()
    return AdviceState(inputs.constraint_text, learnt, [each.number for each in inputs.taken])
