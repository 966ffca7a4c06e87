"""What advice is asked for, what work takes, which other texts are learnt from; and what there is to learn from."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

import numpy as np

from core.advice import Costs, Situation, Source
from core.constraints import ConstraintDocument
from core.store import Corpus
from core.treebank import Treebank
from core.workspace.annotations import Annotations
from core.workspace.constraints.grammar_plan import GrammarPlan
from core.workspace.constraints.line_plan import require
from core.workspace.constraints.proposals import DONE, known_heads
from core.workspace.constraints.text import Text
from core.workspace.corpora import text_brackets
from core.workspace.system import Inputs, Plan
from core.workspace.texts import PARSE_OF
from core.workspace.workspace import Workspace

MOST = 200  # sentences that are asked for at a time
USUAL_WORDS = 15  # of a sentence


@dataclass(frozen=True)
class AdvicePlan(Plan):
    """What a person can choose.

    Attributes
    ----------
    sentences : int
        How many would be corrected at a time.
    minutes : float
        That a tree of fifteen words takes; others by their length.
    line, text, treebank : float
        Minutes that a line, another text and another treebank take.
    texts : tuple of int
        Other corpora that are learnt from as well.
    """

    minutes: float = Costs.word * USUAL_WORDS
    line: float = Costs.line
    text: float = Costs.text
    treebank: float = Costs.treebank
    texts: tuple = ()
    sentences: int = 20

    def __post_init__(self):
        object.__setattr__(self, "texts", tuple(self.texts))  # JSON has lists only
        require(1 <= self.sentences <= MOST, f"1 to {MOST} sentences can be corrected next, got {self.sentences}")
        _ = self.costs  # which refuses what is no time

    def as_dict(self) -> dict:
        """Plain values for the store."""
        return super().as_dict() | {"texts": list(self.texts)}

    @property
    def costs(self) -> Costs:
        """The minutes, of a word."""
        return Costs(self.minutes / USUAL_WORDS, self.line, self.text, self.treebank)


@dataclass(frozen=True, eq=False, kw_only=True)
class AdviceInputs(Inputs):
    """The text that is open, its lines, and the other texts that are learnt from.

    Attributes
    ----------
    text : Text
        As the grammar is trained on it.
    constraint_text : str
    taken : tuple of Source
    """

    text: Text
    constraint_text: str = ""
    taken: tuple[Source, ...] = ()

    @property
    def treebanks(self) -> dict[str, Treebank]:
        """All of them."""
        return {"training text": self.text.sentences} | {each.name: each.treebank for each in self.taken}


def situation_of(workspace: Workspace, inputs: AdviceInputs) -> Situation:
    """What there is to learn from in the text itself: lines that match something, trees known by now.

    The text's own trees are scored on, and learnt from where its settings say so; those corrected by hand are both.
    """
    text, plan = inputs.text, inputs.text.settings
    assert isinstance(plan, GrammarPlan)  # the text is the grammar's
    constraints = ConstraintDocument.from_text(inputs.constraint_text).constraints
    lines = [each.constraint for each in text.matcher.counts(constraints) if each.pairs]
    known = known_heads(workspace, text)
    bare = np.full(len(text.treebank.heads), -1, np.int32) if known is None else known.heads
    picks = text.sentences.picks
    learnt = np.ones(len(picks), bool)
    if known is not None and not known.by_hand:
        learnt = np.isin(picks, [*(number - 1 for number in plan.marked), *_done(workspace, inputs.corpus)])
    settings = replace(plan.grammar_settings(), words="no", second_order=False, together=False)
    brackets = None if plan.brackets == "none" else text_brackets(text.sentences, inputs.corpus.reference)
    return Situation.of(text.sentences, lines, text.heads_of_all(bare), settings, learnt, brackets)


def _done(workspace, corpus):
    return [index for index, state in Annotations(workspace, corpus).states().items() if state.status == DONE]


def other_texts(workspace: Workspace, corpus: Corpus) -> list[Corpus]:
    """The corpora of the project that could be learnt from beside one: no parses of a text, and not itself."""
    listed = workspace.store.corpora(corpus.project)
    return [each for each in listed if each.id != corpus.id and PARSE_OF not in each.settings]


def source_of(workspace: Workspace, corpus: Corpus, longest: int | None) -> Source | None:
    """A Corpus as a Source, its sentences of at most so many words; with brackets where it has no trees but mark-up.

    None where it has no such sentence.
    """
    treebank = workspace.treebank(corpus)
    treebank = treebank if longest is None else treebank.max_length(longest)
    if not len(treebank):
        return None
    found = Source(corpus.name, treebank, corpus.id)
    if (treebank.heads >= 0).any():
        return found
    brackets = text_brackets(treebank, corpus.reference)
    return replace(found, brackets=brackets) if any(brackets) else found


def digest(situation: Situation, texts: Sequence[int], others: Sequence[int]) -> str:
    """Names what advice was given on: the text, lines, known trees, settings, the other texts learnt from, and all."""
    content = [
        situation.text.content_hash, [line.text for line in situation.lines], list(texts), list(others),
        asdict(situation.settings),
        hashlib.sha256(situation.heads.tobytes() + situation.learnt.tobytes()).hexdigest(),
    ]  # fmt: skip
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()[:16]
