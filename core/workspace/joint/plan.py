"""The plan of joint inference: two treebanks or more, each in a scheme of its own, and the text that all parsers parse.

Sentences of the text never teach: where it belongs to one of the treebanks, every tenth is parsed and the others are
learnt from.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from typing import ClassVar

import numpy as np

from core.errors import WorkbenchError
from core.evaluation.learnt import has_heads
from core.joint import JointSettings
from core.joint.measures import segmentation
from core.joint.tags import foreign_tags, shared_tags
from core.joint.training import sentence_keys
from core.store import ParseKey
from core.treebank import Treebank
from core.workspace.plan import RECORDED
from core.workspace.standing import Standing
from core.workspace.system import Inputs, Plan

EVERY = 10  # of a text that teaches too, every tenth sentence is parsed
SAME = 0.5  # share of a treebank's sentences that another has, above which they count as one text in two schemes
LEAST, MOST = 2, 10  # treebanks that teach
FOLDS = 3  # seconds where the usual five take half as long again
SMALL, TABLES = 20_000, ((18, 16), (20, 18))  # words; bits of the tables of weights below and above
USUAL = JointSettings(epochs=5)


@dataclass(frozen=True)
class JointPlan(Plan):
    """The choices for joint inference: plain values, stored even where they do not fit each other.

    Attributes
    ----------
    treebanks : tuple of str
        What teaches each parser, two or more: ``corpus-3``, ``function-heads``; "" for none yet.
    own : int
        Whose scheme the text's own trees follow, from 1, where it belongs to no treebank; 0 for none's.
    """

    former: ClassVar[Mapping[str, object]] = {"one": ParseKey, "other": ParseKey}
    extra_fields: ClassVar[Mapping[str, object]] = RECORDED | {"schemes": list[str]}

    treebanks: tuple[ParseKey, ...] = ("", "")
    own: int = 1
    settings: JointSettings = USUAL

    def __post_init__(self):  # JSON has lists only, perhaps of fewer
        object.__setattr__(self, "treebanks", (*self.treebanks, "", "")[: max(len(self.treebanks), LEAST)])

    @classmethod
    def renewed(cls, values: Mapping) -> Mapping:
        """Earlier versions stored two treebanks, ``one`` and ``other``."""
        if values.keys().isdisjoint(cls.former):
            return values
        pair = tuple(values.get(name, "") for name in cls.former)
        return {name: value for name, value in values.items() if name not in cls.former} | {"treebanks": pair}


@dataclass(frozen=True, eq=False, kw_only=True)
class JointInputs(Inputs):
    """The treebanks that teach and the text that is parsed.

    Attributes
    ----------
    names : tuple of str
        The names of the schemes.
    trains : tuple of Treebank
    test : Treebank
    gold : tuple of Treebank or None
        The test's sentences under each scheme's own trees, heads of -1 where they are not known.
    conditions : tuple of mapping
        What a run records of the trees of each ``gold``, in the names of ScoreConditions.
    divided : bool
        Whether treebanks are one text, of which each parser learns from other sentences.
    tags : "both", "upos", "xpos" or None
        Columns in which all texts are tagged alike; None if there is none, and all are tagged like the first.
    foreign : tuple of str
        The tags that the first treebank lacks where ``tags`` is None.
    cuts : tuple of dict
        How each further treebank differs from the first in what is a word (``core.joint.measures.segmentation``).
    recut : int
        Sentences of the test that a treebank cuts into other words, so that its trees do not fit.
    """

    names: tuple[str, ...]
    trains: tuple[Treebank, ...]
    test: Treebank
    gold: tuple[Treebank | None, ...]
    conditions: tuple[Mapping[str, int | str], ...]
    divided: bool
    tags: str | None
    foreign: tuple[str, ...]
    cuts: tuple[dict, ...]
    recut: int

    @property
    def treebanks(self) -> dict[str, Treebank]:
        teach = {f"trees of {name}": train for name, train in zip(self.names, self.trains, strict=True)}
        return teach | {"parsed text": self.test}

    def settings(self, plan: JointPlan) -> JointSettings:
        """The JointSettings of a plan. Raises WorkbenchError for what training does not take."""
        table_bits, bits = TABLES[max(train.token_count for train in self.trains) >= SMALL]
        of_texts = {"folds": FOLDS, "tags": self.tags or "upos", "table_bits": table_bits, "bits": bits}
        return replace(plan.settings, **of_texts)


def parts(settled: Standing, banks: Sequence[Treebank], names: Sequence[str], scheme: int) -> dict:
    """The fields of ``JointInputs`` besides corpus, key and names.

    Parameters
    ----------
    settled : Standing
        The text, under the corrections that count.
    banks : sequence of Treebank
        The treebanks that teach.
    names : sequence of str
        Their names; "" for the text itself.
    scheme : int
        ``JointPlan.own``.

    Raises WorkbenchError where nothing is left to teach.
    """
    text = settled.treebank
    keys = sentence_keys(text)
    bank_keys = [sentence_keys(bank) for bank in banks]
    known = [np.isin(keys, teaching_keys) for teaching_keys in bank_keys]
    teaches = any(mask.any() for mask in known)
    every = np.arange(EVERY - 1, len(text), EVERY) if len(text) >= EVERY else np.array([len(text) - 1])
    test = text.select(every) if teaches else text
    trains, divided = _trains(banks, bank_keys, sentence_keys(test))
    gold, recut = zip(*(_gold(test, bank, scheme == number) for number, bank in enumerate(banks, 1)), strict=True)
    conditions = tuple(_conditions(settled, test, *of) for of in zip(gold, names, strict=True))
    cuts = tuple(segmentation(bank, banks[0]) for bank in banks[1:])
    tags = shared_tags(trains, [test])
    foreign = () if tags else _foreign(trains[0], [*trains[1:], test])
    return {
        "trains": trains, "test": test, "gold": gold, "conditions": conditions, "divided": divided, "tags": tags,
        "foreign": foreign, "cuts": cuts, "recut": max(recut),
    }  # fmt: skip


def _trains(banks, bank_keys, tested):
    """(the sentences of each treebank that teach, whether treebanks are one text and each teaches others of it)."""
    teaching = [~np.isin(keys, tested) for keys in bank_keys]
    divided = any(bool(np.isin(*pair).mean() > SAME) for pair in permutations(bank_keys, 2))
    if divided:  # one text in several schemes
        teaching = _in_turn(bank_keys, teaching)
    trains = tuple(bank.select(mask) for bank, mask in zip(banks, teaching, strict=True))
    for bank, train in zip(banks, trains, strict=True):
        if not len(train):
            elsewhere = " or teach another scheme" * divided
            raise WorkbenchError(
                f"all {len(bank):,} sentences of {bank.name or 'a treebank'} are to be parsed{elsewhere}, none is left "
                "to teach; open another text, or choose another treebank"
            )
    return trains, divided


def _in_turn(bank_keys, masks):
    """bool arrays: the sentences of all treebanks that teach, each common one in one of those that have it, in turn."""
    owners: dict[int, list[int]] = {}
    for number, (keys, mask) in enumerate(zip(bank_keys, masks, strict=True)):
        for key in dict.fromkeys(keys[mask].tolist()):
            owners.setdefault(key, []).append(number)
    common = [(key, numbers) for key, numbers in owners.items() if len(numbers) > 1]
    turn = {key: numbers[at % len(numbers)] for at, (key, numbers) in enumerate(common)}
    turns = (np.array([turn.get(key, k) == k for key in keys.tolist()]) for k, keys in enumerate(bank_keys))
    return [mask & its_turn for mask, its_turn in zip(masks, turns, strict=True)]


def _gold(test, bank, is_own_scheme):
    """(the test's sentences under a treebank's trees or None, how many the treebank cuts into other words).

    ``is_own_scheme``: where the treebank knows none of them, the test's own trees are in its scheme.
    """
    trees = {sentence.forms: at for at, sentence in enumerate(bank)}
    letters = {"".join(forms) for forms in trees}
    heads, deprels, recut = np.full(len(test.heads), -1, np.int32), [""] * len(test.heads), 0
    for at, sentence in enumerate(test):
        rows = slice(*test.offsets[at : at + 2])
        if sentence.forms in trees:
            gold = bank[trees[sentence.forms]]
            heads[rows], deprels[rows] = gold.heads, gold.deprels
        else:
            recut += "".join(sentence.forms) in letters
    if (heads >= 0).any():
        return test.with_heads(heads, deprels), recut
    return (test if is_own_scheme and (test.heads >= 0).any() else None), recut


def _conditions(settled, test, gold, name):
    """What is recorded of known trees of the test: the text's own, or those of a treebank of that name."""
    if gold is None:
        return {}
    return {"against": f"trees of {name}"} if name and gold is not test else settled.marked(test.picks[has_heads(gold)])


def _foreign(first, others):
    """Tags of other texts that the first treebank does not have, sorted."""
    tags = set()
    for other in others:
        try:
            tags |= set(foreign_tags(first, other)[1])
        except WorkbenchError:  # no tags at all
            continue
    return tuple(sorted(tags))
