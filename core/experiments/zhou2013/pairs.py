"""Pairs of treebanks in different annotation schemes, cut into training and test text."""

from dataclasses import dataclass, replace

import numpy as np

from core.experiments.at_hand import TextAtHand
from core.experiments.corpora import BEGINNER, CHINESE
from core.experiments.corpora import SINICA as SINICA_TREEBANK
from core.experiments.experiment import Environment
from core.joint.measures import segmentation
from core.joint.tags import UniversalTags, same_tag_set
from core.treebank import read_conllu
from core.treebank.schemes import to_function_heads

GSD, SINICA = CHINESE.files, SINICA_TREEBANK.files
QUICK, QUICK_TEST = 150, 60  # sentences to train on and to test where only a glance is wanted
EVERY = 10  # one treebank in two schemes: every tenth sentence is for testing


@dataclass(frozen=True, eq=False)
class SchemePair:
    """Two schemes: ``trains`` and ``tests`` hold a Treebank each.

    ``tags`` is the column to read, None for those filled; ``note`` says in one sentence what the texts are.
    """

    name: str
    schemes: tuple
    trains: list
    tests: list
    note: str
    tags: str | None = None


def pair_at_hand(text: TextAtHand) -> SchemePair:
    """The text at hand in UD and with function words as heads. WorkbenchError for one that is not in UD."""
    treebanks = [text.treebank, to_function_heads(text.treebank)]
    note = f"The schemes are UD and {text.name} with function words as heads"
    return _halves(text.name, ("UD", "function heads"), treebanks, note)


def beginner_pair(env: Environment) -> SchemePair:
    """Chinese learners' sentences in UD and SUD."""
    treebanks = [read_conllu(env.file(name)) for name in BEGINNER.files]
    note = "zh-beginner is 2,295 Chinese sentences in UD and SUD, 65.5% of whose heads agree"
    return _halves("zh-beginner", ("UD", "SUD"), treebanks, note)


def _halves(name, schemes, treebanks, note):
    """Every tenth sentence tests; of the others the first, third and so on train one scheme, the rest the other."""
    numbers = np.arange(len(treebanks[0]))
    tested = numbers % EVERY == EVERY - 1
    rest = np.flatnonzero(~tested)
    trains = [treebank.select(rest[half::2]) for half, treebank in enumerate(treebanks)]
    note += "; every tenth tests, and two disjoint halves of the others train the schemes."
    return SchemePair(name, schemes, trains, [treebank.select(tested) for treebank in treebanks], note)


def shortened(pair: SchemePair) -> SchemePair:
    """The first sentences of a pair, for a glance."""
    trains = [treebank.limit(QUICK) for treebank in pair.trains]
    tests = [treebank.limit(QUICK_TEST) for treebank in pair.tests]
    note = f"{pair.note} Quick: {QUICK} sentences of each train, {QUICK_TEST} test."
    return replace(pair, trains=trains, tests=tests, note=note)


def chinese_pair(env: Environment) -> SchemePair:
    """Chinese UD and the Sinica treebank: other text, other segmentation, other tags; all tagged as the first is."""
    trains, tests = ([read_conllu(env.file(names[part])) for names in (GSD, SINICA)] for part in (0, 1))
    cut = segmentation(trains[1], trains[0])
    note = (
        f"zh_gsd-v1 ({len(trains[0]):,} sentences) and zh-sinica ({len(trains[1]):,}) are of different text, and their "
        f"segmentation differs: {cut['unknown_words']:.1f}% of Sinica's words do not occur in zh_gsd-v1, "
        f"{cut['cut_words']:.1f}% are two of its words."
    )
    if same_tag_set(trains):
        return SchemePair("zh_gsd-v1 + zh-sinica", ("zh_gsd-v1", "zh-sinica"), trains, tests, note)
    layer = UniversalTags(trains[0], "upos")
    trains, tests = ([layer(treebank) for treebank in treebanks] for treebanks in (trains, tests))
    note += " All are tagged by our tagger, trained on zh_gsd-v1's UPOS; the paper's learnt from the People's Daily."
    return SchemePair("zh_gsd-v1 + zh-sinica", ("zh_gsd-v1", "zh-sinica"), trains, tests, note, "upos")
