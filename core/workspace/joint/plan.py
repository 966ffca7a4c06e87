"""Joint inference as a person plans it: two treebanks in two schemes, and the text that both parsers parse.

A ``JointPlan`` is kept with each corpus, the text to parse; ``JointDesk`` opens the texts of a plan. Sentences of the
text never teach: where it belongs to one of the treebanks, every tenth is parsed and the others are learnt from.
"""

import hashlib
import json
from dataclasses import dataclass, replace

import numpy as np

from core.errors import WorkbenchError
from core.joint import JointSettings
from core.joint.measures import segmentation
from core.joint.tags import foreign_tags, shared_tags
from core.joint.training import sentence_keys
from core.store import Command
from core.treebank import Treebank, load_sample
from core.workspace.cache import BoundedCache
from core.workspace.plan import Plan

PLAN = "joint"  # kind of the document that holds the plan of a corpus
BUILT_IN = "function-heads"  # the sample's second scheme, which is no corpus of the store
EVERY = 10  # of a text that teaches too, every tenth sentence is parsed
SAME = 0.5  # share of common sentences from which two treebanks count as one text in two schemes
FOLDS = 3  # seconds where the usual five take half as long again
SMALL, TABLES = 20_000, ((18, 16), (20, 18))  # words; bits of the tables of weights below and above


@dataclass(frozen=True)
class JointPlan(Plan):
    """What a person can choose; plain values, kept as they are even where they do not fit each other.

    Attributes
    ----------
    one, other : str
        The treebanks that teach the first and the second parser: ``corpus-3``, ``function-heads``; "" for none yet.
    own : {0, 1, 2}
        Whose scheme the text's own trees follow, where it belongs to neither treebank; 0 for neither's.
    order, candidates, rounds, stages, epochs : int
        As in ``JointSettings``.
    """

    one: str = ""
    other: str = ""
    own: int = 1
    order: int = JointSettings.order
    candidates: int = JointSettings.candidates
    rounds: int = JointSettings.rounds
    stages: int = JointSettings.stages
    epochs: int = 5


@dataclass(frozen=True, eq=False)
class JointTexts:
    """What teaches and what is parsed.

    Attributes
    ----------
    corpus : Corpus
        The text that is open.
    names : tuple of str
        Of the schemes.
    trains : tuple of Treebank
    test : Treebank
    gold : tuple of Treebank or None
        The test's sentences under each scheme's own trees, heads of -1 where they are not known.
    halved : bool
        Whether the treebanks are one text, of which each parser learns from one half.
    tags : "both", "upos", "xpos" or None
        Columns in which all texts are tagged alike; None where there is no such, and all are tagged like the first.
    foreign : tuple of str
        Tags, then, that the first treebank does not have.
    cut : dict
        How the treebanks differ in what is a word (``core.joint.measures.segmentation``).
    recut : int
        Sentences of the test that a treebank cuts into other words, so that its trees do not fit.
    key : str
    """

    corpus: object
    names: tuple
    trains: tuple
    test: Treebank
    gold: tuple
    halved: bool
    tags: str | None
    foreign: tuple
    cut: dict
    recut: int
    key: str

    @property
    def hash(self):
        """Names the sentences that runs were made on."""
        return hashlib.sha256(self.key.encode()).hexdigest()

    def settings(self, plan):
        """The JointSettings of a plan. Raises WorkbenchError for what training does not take."""
        table_bits, bits = TABLES[max(train.token_count for train in self.trains) >= SMALL]
        own = {name: getattr(plan, name) for name in ("order", "candidates", "rounds", "stages", "epochs")}
        return JointSettings(**own, folds=FOLDS, tags=self.tags or "upos", table_bits=table_bits, bits=bits)


class JointDesk:
    """Texts and outcomes of one Workspace, in bounded caches; any thread may ask."""

    def __init__(self, workspace):
        self.workspace, self.store = workspace, workspace.store
        self._texts = BoundedCache(4)
        self.results = BoundedCache(4)  # of finished runs, see ``joint_runs``

    def options(self, corpus):
        """dict of key -> name: every treebank that can teach, in the project of a Corpus."""
        found = {f"corpus-{each.id}": each.name for each in self.store.corpora(corpus.project)}
        return found | {BUILT_IN: "sample: function heads"}

    def plan(self, corpus):
        """The plan kept with a Corpus; else the sample's two schemes, or the text's own trees and the next treebank."""
        saved = self.store.document(corpus.project, PLAN, str(corpus.id))
        if saved is not None:
            return JointPlan.from_dict(saved)
        corpora = self.store.corpora(corpus.project)
        sample = next((f"corpus-{each.id}" for each in corpora if each.reference == "sample"), "")
        if corpus.reference is not None or not (self.workspace.treebank(corpus).heads >= 0).any():
            return JointPlan(sample, BUILT_IN, own=0)
        others = [each for each in corpora if each.id != corpus.id and each.reference is None]
        return JointPlan(f"corpus-{corpus.id}", f"corpus-{others[0].id}" if others else "")

    def save(self, corpus, label, **changes):
        """Keep a plan with some values changed; can be undone."""
        plan = replace(self.plan(corpus), **changes)
        was = self.store.document(corpus.project, PLAN, str(corpus.id))
        self.store.execute(corpus.project, Command(PLAN, str(corpus.id), was, plan.as_dict()), label=label)

    def texts(self, corpus, plan):
        """The JointTexts of a plan.

        Raises WorkbenchError where a treebank is not chosen, has no trees or no tags, is chosen twice, or has nothing
        left to teach.
        """
        keys = plan.one, plan.other
        names = self._names(corpus, keys)
        content = [self.workspace.corpus_key(corpus), *(self._source(key) for key in keys), plan.own]
        key = json.dumps(content)
        parts = self._texts.get(
            key, lambda: _parts(self.workspace.treebank(corpus), self._banks(keys, names), plan.own)
        )
        return JointTexts(corpus, names, *parts, key)

    def _names(self, corpus, keys):
        options = self.options(corpus)
        for key, which in zip(keys, ("first", "second"), strict=True):
            if key not in options:
                raise WorkbenchError(f"choose the {which} scheme: a text with trees")
        if keys[0] == keys[1]:
            raise WorkbenchError(f"{options[keys[0]]} is chosen twice; choose two treebanks in different schemes")
        one, other = (options[key] for key in keys)
        return (one, other) if one != other else (f"{one} (1)", f"{other} (2)")

    def _source(self, key):
        if key == BUILT_IN:
            return load_sample(BUILT_IN).content_hash
        return self.workspace.corpus_key(self.store.corpus(int(key.removeprefix("corpus-"))))

    def _banks(self, keys, names):
        banks = []
        for key, name in zip(keys, names, strict=True):
            if key == BUILT_IN:
                bank = load_sample(BUILT_IN)
            else:
                bank = self.workspace.treebank(self.store.corpus(int(key.removeprefix("corpus-"))))
            if not (bank.heads >= 0).any():
                raise WorkbenchError(f"{name} has no trees, so no parser can learn from it; choose a text with trees")
            banks.append(bank)
        try:
            banks[0].tag_column(None)
        except WorkbenchError as error:
            raise WorkbenchError(
                f"{names[0]} has no tags, which the parsers need; tag it, or choose another first scheme"
            ) from error
        return banks


def _parts(text, banks, own):
    """(trains, test, gold, halved, tags, foreign, cut, recut): what ``JointTexts`` holds after its names."""
    keys = sentence_keys(text)
    bank_keys = [sentence_keys(bank) for bank in banks]
    known = [np.isin(keys, found) for found in bank_keys]
    teaches = any(each.any() for each in known)
    test = text.select(_tested(len(text))) if teaches else text
    kept = [~np.isin(found, sentence_keys(test)) for found in bank_keys]
    halved = bool(np.isin(*bank_keys).mean() > SAME)
    if halved:  # one text in two schemes: its sentences in turn
        turn = {key: at % 2 for at, key in enumerate(dict.fromkeys(bank_keys[0][kept[0]].tolist()))}
        for half, found in enumerate(bank_keys):
            kept[half] &= np.array([turn.get(int(key), half) == half for key in found])
    trains = tuple(bank.select(mask) for bank, mask in zip(banks, kept, strict=True))
    for bank, train in zip(banks, trains, strict=True):
        if not len(train):
            raise WorkbenchError(
                f"all {len(bank):,} sentences of {bank.name or 'a treebank'} are to be parsed, none is left to teach; "
                "open another text, or choose another treebank"
            )
    gold, recut = zip(*(_gold(test, bank, own == number) for number, bank in enumerate(banks, 1)), strict=True)
    cut = segmentation(banks[1], banks[0])
    tags = shared_tags(trains, [test])
    foreign = () if tags else _foreign(trains[0], [trains[1], test])
    return trains, test, gold, halved, tags, foreign, cut, max(recut)


def _tested(count):
    """Indices of the sentences that are parsed of a text that teaches too: every tenth, or the last."""
    chosen = np.arange(EVERY - 1, count, EVERY)
    return chosen if len(chosen) else np.array([count - 1])


def _gold(test, bank, own):
    """(the test's sentences under a treebank's trees or None, how many the treebank cuts into other words).

    ``own``: where the treebank knows none of them, the test's own trees are in its scheme.
    """
    trees = {sentence.forms: at for at, sentence in enumerate(bank)}
    letters = {"".join(forms) for forms in trees}
    heads, deprels, recut = np.full(len(test.heads), -1, np.int32), [""] * len(test.heads), 0
    for at, sentence in enumerate(test):
        rows = slice(*test.offsets[at : at + 2])
        if sentence.forms in trees:
            found = bank[trees[sentence.forms]]
            heads[rows], deprels[rows] = found.heads, found.deprels
        else:
            recut += "".join(sentence.forms) in letters
    if (heads >= 0).any():
        return test.with_heads(heads, deprels), recut
    return (test if own and (test.heads >= 0).any() else None), recut


def _foreign(first, others):
    """Tags of other texts that the first treebank does not have, sorted."""
    found = set()
    for other in others:
        try:
            found |= set(foreign_tags(first, other)[1])
        except WorkbenchError:  # no tags at all
            continue
    return tuple(sorted(found))
