"""Consistency across sentences as a person plans it: which trees teach, which text is parsed, what a context must be.

A ``ConsensusPlan`` is kept with each corpus, the text to parse; ``ConsensusDesk`` opens the texts of a plan, counts
their contexts once, and answers every move of a threshold from that count.
"""

import hashlib
import json
from dataclasses import asdict, dataclass, fields, replace

import numpy as np

from core.consistency import ConsistencySettings, ContextIndex, ContextSettings
from core.errors import WorkbenchError
from core.store import Command
from core.treebank import Treebank
from core.workspace.cache import BoundedCache
from core.workspace.plan import Plan

PLAN = "consensus"  # kind of the document that holds the plan of a corpus
TAUGHT = 0.6  # of a text's own sentences, the first of which teach by default
SMALL = 20_000  # words to learn from: below it a small table of weights is as good, and quicker to keep
BITS = (18, 22)  # of the table of weights, for small texts and others


@dataclass(frozen=True)
class ConsensusPlan(Plan):
    """What a person can choose; plain values, kept as they are even where they do not fit each other.

    Attributes
    ----------
    trees : int or None
        Corpus whose trees teach; None for the first sentences of the text itself.
    first : int
        How many of them, where the text itself teaches; the others are parsed.
    tags : "xpos", "upos" or None
    close : str
        Groups of close tags, one a line; "" for the usual ones (``shared_labels``).
    order, epochs : int
        Of the ``MSTParser``.
    threshold ... iterations
        As in ``ConsistencySettings``.
    """

    trees: int | None = None
    first: int = 1
    tags: str | None = None
    close: str = ""
    order: int = 2
    epochs: int = 5
    threshold: float = ConsistencySettings.threshold
    minimum_count: int = ConsistencySettings.minimum_count
    width: int = ConsistencySettings.width
    prefer_inside: bool = ConsistencySettings.prefer_inside
    delta1: float = ConsistencySettings.delta1
    delta2: float = ConsistencySettings.delta2
    delta3: float = ConsistencySettings.delta3
    step: float = ConsistencySettings.step
    iterations: int = ConsistencySettings.iterations

    @property
    def contexts(self):
        """The ContextSettings."""
        return ContextSettings(self.threshold, self.minimum_count, self.width, self.prefer_inside)

    def settings(self):
        """The ConsistencySettings. Raises WorkbenchError where deltas are out of order, and the like."""
        names = {field.name for field in fields(ConsistencySettings)}
        return ConsistencySettings(**{name: value for name, value in asdict(self).items() if name in names})


@dataclass(frozen=True, eq=False)
class ConsensusTexts:
    """The trees that teach and the text to parse, their contexts counted. ``key`` names the content of both."""

    corpus: object
    train: Treebank
    test: Treebank
    index: ContextIndex
    key: str

    @property
    def hash(self):
        """Names the sentences that runs were made on."""
        return hashlib.sha256(self.key.encode()).hexdigest()

    @property
    def has_gold(self):
        """Whether the text has heads of its own to compare with."""
        return bool((self.test.heads >= 0).any())


class ConsensusDesk:
    """Texts and selections of contexts of one Workspace, in bounded caches; any thread may ask."""

    def __init__(self, workspace):
        self.workspace, self.store = workspace, workspace.store
        self._texts = BoundedCache(4)
        self._selections = BoundedCache(32)
        self.results = BoundedCache(8)  # of finished runs, see ``consensus_runs``

    def plan(self, corpus):
        """The plan kept with a Corpus, else the usual one: the first three fifths of its sentences teach."""
        saved = self.store.document(corpus.project, PLAN, str(corpus.id))
        if saved is not None:
            return ConsensusPlan.from_dict(saved)
        treebank = self.workspace.treebank(corpus)
        others = [each.id for each in self.store.corpora(corpus.project) if each.id != corpus.id]
        trees = others[0] if others and not (treebank.heads >= 0).any() else None
        return ConsensusPlan(trees=trees, first=usual_first(len(treebank)))

    def save(self, corpus, label, **changes):
        """Keep a plan with some values changed; can be undone. Returns the plan before."""
        before = self.plan(corpus)
        plan = replace(before, **changes)
        was = self.store.document(corpus.project, PLAN, str(corpus.id))
        self.store.execute(corpus.project, Command(PLAN, str(corpus.id), was, plan.as_dict()), label=label)
        return before

    def texts(self, corpus, plan):
        """The ConsensusTexts of a plan.

        Raises WorkbenchError for one sentence alone, different tag sets, no trees, no tags, tags that are not there.
        """
        treebank = self.workspace.treebank(corpus)
        other = None if plan.trees in (None, corpus.id) else self.store.corpus(plan.trees)
        if other is None and len(treebank) < 2:
            raise WorkbenchError(
                f"{corpus.name} has only one sentence: none is left to parse if it teaches; "
                "choose another text under Trees that teach"
            )
        first = min(max(plan.first, 1), len(treebank) - 1) if other is None else None
        source = None if other is None else self.workspace.corpus_key(other)
        content = [self.workspace.corpus_key(corpus), source, first, plan.tags]
        close = parse_groups(plan.close)

        def make():
            if other is None:
                train, test = treebank.limit(first), treebank.select(np.arange(first, len(treebank)))
            else:
                train, test = self.workspace.treebank(other), treebank
            return train, test, ContextIndex(train, test, tags=plan.tags, close=close)

        train, test, index = self._texts.get(json.dumps([*content, plan.close]), make)
        return ConsensusTexts(corpus, train, test, index, json.dumps(content))

    def selection(self, texts, plan):
        """The Contexts that a plan selects; milliseconds. Perhaps none: ``require_some`` says why."""
        settings = plan.contexts
        key = (id(texts.index), *asdict(settings).values())  # the selection keeps its index, so the id stays its own
        return self._selections.get(key, lambda: texts.index.select(settings))


def usual_first(count):
    """How many of ``count`` sentences teach by default: three fifths, in tens where there are many."""
    first = round(TAUGHT * count)
    return max(1, round(first, -1) if count > 50 else first)


def table_bits(texts):
    """The size of the parser's table of weights that suits the trees that teach."""
    return BITS[texts.train.token_count >= SMALL]


def parse_groups(text):
    """Groups of close tags, one a line, as tag -> class; None where nothing is written: the usual relation.

    Raises WorkbenchError for a tag in two groups.
    """
    groups = {}
    for number, line in enumerate(text.splitlines(), 1):
        for tag in line.split():
            if groups.setdefault(tag, number) != number:
                raise WorkbenchError(f"{tag} is in line {groups[tag]} and in line {number}; leave it in one group")
    return {tag: str(number) for tag, number in groups.items()} or None


def format_groups(labels):
    """The groups of Labels that hold more than one tag, as ``parse_groups`` reads them."""
    groups = {}
    for name, kind in zip(labels.names[1:], labels.close[1:], strict=True):
        groups.setdefault(kind, []).append(name)
    return "\n".join(" ".join(group) for group in groups.values() if len(group) > 1)


__all__ = ["PLAN", "ConsensusDesk", "ConsensusPlan", "ConsensusTexts", "format_groups", "parse_groups", "table_bits"]
