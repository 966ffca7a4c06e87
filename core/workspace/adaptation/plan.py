"""Adapting a parser to another domain as a person plans it: which trees teach, which text is the target, which pivots.

An ``AdaptationPlan`` is kept with each source corpus; an ``AdaptationDesk`` opens the texts of a plan.
"""

import hashlib
import json
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from core.adaptation import StructuralCorrespondence
from core.adaptation.pivots import format_pivots, load_pivots, parse_pivots
from core.adaptation.systems import common_tags
from core.errors import StoreError, WorkbenchError
from core.store import Command
from core.treebank import Treebank, load_sample
from core.treebank.sample import FOLDER
from core.workspace.cache import BoundedCache
from core.workspace.corpora import add_corpus
from core.workspace.plan import Plan

PLAN = "adaptation"  # kind of the document that holds the plan of a source corpus
QUESTIONS, QUESTIONS_NAME = "questions", "sample: questions"  # the target where nobody has chosen
OWN = 0  # beside the numbers of corpora: the target's own words are the unlabelled text
HELD = 10  # every tenth sentence of the source is scored, not learnt from
SMALL, BITS = 20_000, (18, 22)  # words of the source, and the table of weights below that and above
DECIDERS = ("tags", "words")


@dataclass(frozen=True)
class AdaptationPlan(Plan):
    """What a person can choose; plain values, kept as they are even where they do not fit each other.

    Attributes
    ----------
    target : int
        Corpus of the other domain; OWN, 0, is the sample's questions.
    unlabelled : int
        Corpus whose words the correspondence is learnt from beside the source's; OWN for the target's.
    few : int
        Target sentences, the first, whose trees the last baseline learns from; nobody is scored on them.
    rounds : int
        Of self-training; 0 leaves it out.
    language, pivots : str
        Which word lists; ``pivots`` are lines that take their place.
    decide : "tags" or "words"
        Whether tags decide where all text has them.
    between, frequent, dimensions : int
        As in ``StructuralCorrespondence``; 0 dimensions are as many as there are pivots, 25 at most.
    epochs : int
        Iterations of training.
    standardize ... seed
        As in ``StructuralCorrespondence``.
    """

    target: int = OWN
    unlabelled: int = OWN
    few: int = 10
    rounds: int = 1
    language: str = "en"
    pivots: str = ""
    decide: str = "tags"
    between: int = 0
    frequent: int = 0
    dimensions: int = 0
    epochs: int = 4
    standardize: bool = True
    scale: float = 0.3
    directed: bool = False
    tags: bool = False
    distance: bool = False
    lowercase: bool = False
    minimum_count: int = 1
    edges: int = 200_000
    seed: int = 0

    def pivot_lines(self):
        """The pivots as lines to edit."""
        return self.pivots or format_pivots(load_pivots(self.language))

    def chosen_pivots(self):
        """Pivots. Raises WorkbenchError for lines that are none, and for pivots of tags alone where words decide."""
        found = parse_pivots(self.pivots, "your pivots") if self.pivots else load_pivots(self.language)
        if self.decide != "words":
            return found
        for pivot in found:
            if not pivot.words:
                raise WorkbenchError(f"pivot {pivot.name} has no words; add some, or choose Tags under Decided by")
        return tuple(replace(pivot, upos=(), xpos=()) for pivot in found)

    def correspondence(self):
        """An untrained StructuralCorrespondence. Raises WorkbenchError for what it does not take."""
        names = ("between", "frequent", "standardize", "scale", "directed", "tags", "distance", "lowercase")
        options = {name: getattr(self, name) for name in (*names, "minimum_count", "edges", "seed")}
        return StructuralCorrespondence(self.chosen_pivots(), dimensions=self.dimensions or None, **options)


@dataclass(frozen=True, eq=False)
class AdaptationTexts:
    """The texts of a plan.

    Attributes
    ----------
    corpus : Corpus
        The source.
    target : Corpus or None
        None while the sample's questions are no text of the project yet.
    target_name : str
    source, held : Treebank
        Source sentences to learn from, and to score on.
    test : Treebank
        Target sentences that are parsed, and scored where they have trees.
    few : Treebank or None
        The target sentences before them.
    unlabelled : Treebank
    tags : {"both", "upos", "xpos"}
        What the parser reads.
    key : str
        Names the content of all.
    """

    corpus: object
    target: object
    target_name: str
    source: Treebank
    held: Treebank
    test: Treebank
    few: Treebank | None
    unlabelled: Treebank
    tags: str
    key: str

    @property
    def hash(self):
        """Names the sentences that runs were made on."""
        return hashlib.sha256(self.key.encode()).hexdigest()

    @cached_property
    def has_gold(self):
        """Whether the target has trees of its own to score against."""
        return bool((self.test.heads >= 0).any())

    @property
    def bits(self):
        """Of the parser's table of weights."""
        return BITS[self.source.token_count >= SMALL]


class AdaptationDesk:
    """Texts and results of one Workspace, in bounded caches; any thread may ask."""

    def __init__(self, workspace):
        self.workspace, self.store = workspace, workspace.store
        self._texts = BoundedCache(4)
        self.results = BoundedCache(8)  # of finished runs, see ``adaptation_runs``

    def plan(self, corpus):
        """The plan kept with a source Corpus, else the usual one, adapted to the questions or another text."""
        saved = self.store.document(corpus.project, PLAN, str(corpus.id))
        plan = AdaptationPlan() if saved is None else AdaptationPlan.from_dict(saved)
        targets = self.targets(corpus)
        if plan.target not in targets and (found := self._questions(corpus.project)) is not None:
            plan = replace(plan, target=found.id)
        return plan if plan.target in targets or not targets else replace(plan, target=next(iter(targets)))

    def save(self, corpus, label, **changes):
        """Keep a plan with some values changed; can be undone."""
        was = self.store.document(corpus.project, PLAN, str(corpus.id))
        plan = replace(self.plan(corpus), **changes)
        self.store.execute(corpus.project, Command(PLAN, str(corpus.id), was, plan.as_dict()), label=label)

    def targets(self, corpus):
        """Names of the texts that a parser of a source Corpus can be adapted to, by corpus id; OWN for questions."""
        others = {each.id: each.name for each in self.store.corpora(corpus.project) if each.id != corpus.id}
        known = self._questions(corpus.project)
        return others if known is not None else {OWN: QUESTIONS_NAME, **others}

    def make_target(self, corpus, plan):
        """The plan with the id of a text of the project as target; the questions become one, undoably."""
        if plan.target != OWN:
            return plan
        data = (FOLDER / f"{QUESTIONS}.conllu").read_bytes()
        target, _ = add_corpus(self.store, corpus.project, QUESTIONS_NAME, data, "conllu")
        return replace(plan, target=target)

    def texts(self, corpus, plan):
        """The AdaptationTexts of a plan.

        Raises WorkbenchError where the source has no trees, the target is gone or too small, or tags differ.
        """
        if plan.target == corpus.id:
            raise WorkbenchError(f"{corpus.name} is source and target; choose another text under Target")
        target = None if plan.target == OWN else self.store.corpus(plan.target)
        further = None if plan.unlabelled in (OWN, plan.target) else self._corpus(plan.unlabelled)
        key_of = self.workspace.corpus_key
        content = [key_of(corpus), target and key_of(target), further and key_of(further), plan.few]
        key = json.dumps(content)
        return self._texts.get((corpus.id, plan.target, key), lambda: self._read(corpus, target, further, plan, key))

    def _read(self, corpus, target, further, plan, key):
        whole = self.workspace.treebank(corpus)
        if not (whole.heads >= 0).any():
            raise WorkbenchError(f"{corpus.name} has no trees to learn from; open a text with trees")
        numbers = np.arange(len(whole))
        scored = numbers % HELD == HELD - 1
        name = QUESTIONS_NAME if target is None else target.name
        text = load_sample(QUESTIONS) if target is None else self.workspace.treebank(target)
        few, test = _split(text, plan.few)
        unlabelled = test if further is None else self.workspace.treebank(further)
        source = whole.select(~scored)
        return AdaptationTexts(
            corpus=corpus,
            target=target,
            target_name=name,
            source=source,
            held=whole.select(scored),
            test=test,
            few=few,
            unlabelled=unlabelled,
            tags=common_tags(source, test),
            key=key,
        )

    def _questions(self, project):
        """The Corpus that holds the sample's questions, or None."""
        found = hashlib.sha256((FOLDER / f"{QUESTIONS}.conllu").read_bytes()).hexdigest()
        return next((each for each in self.store.corpora(project) if each.hash == found), None)

    def _corpus(self, number):
        try:
            return self.store.corpus(number)
        except StoreError as error:
            raise WorkbenchError("the unlabelled text was removed; choose another under Settings") from error


def _split(text, count):
    """(the first sentences with trees or None, the others): half of the text at most teaches."""
    count = min(count, len(text) // 2)
    if not count or not (text.limit(count).heads >= 0).any():
        return None, text
    return text.limit(count), text.select(np.arange(count, len(text)))
