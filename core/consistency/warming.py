"""The kernels of parsing and of tagging with consistency, run once."""

from dataclasses import replace

from core.compilation.compiling import Warming
from core.compilation.warm import WORDS
from core.consistency.parsing import parse_consistently
from core.consistency.settings import ConsistencySettings
from core.consistency.tagging import TAGGING, tag_consistently
from core.parsers import Tagger
from core.parsers.mst.parser import MSTParser
from core.parsers.warming import MST
from core.treebank import Treebank
from core.treebank.warming import warm_reading


def warm_consistency() -> None:
    """Run every kernel of parsing with consistency once: first and second order, the consensus side, the search."""
    treebank = Treebank.from_sentences([WORDS, WORDS, WORDS | {"heads": [3, 3, 0]}])
    torn = ConsistencySettings(threshold=0.0, delta1=3.0, delta2=0.0, delta3=0.0, step=3.0, iterations=1)
    for order in (1, 2):
        parser = MSTParser(order, labels=False, bits=8).fit(treebank, epochs=1)
        parse_consistently(parser, treebank, treebank, torn)  # not agreed on at once, so all kernels run


def warm_consistent_tags() -> None:
    """Run every kernel of tagging with consistency once: the tagger, the consensus side, the search."""
    words = {name: WORDS[name] for name in ("forms", "upos")}
    treebank = Treebank.from_sentences([words, words])
    strange = words | {"forms": [f"un{form}" for form in words["forms"]]}
    tagger = Tagger().fit(treebank, tags="upos", epochs=1)
    torn = replace(TAGGING, unit="score", delta1=3.0, step=3.0, iterations=1)
    tag_consistently(tagger, Treebank.from_sentences([strange, strange]), torn)


CONSISTENCY = Warming(
    (warm_reading, warm_consistency),
    (
        *MST, "core.consistency.first_pass", "core.consistency.mrf", "core.consistency.parses",
        "core.consistency.parsing_problem", "core.consistency.surviving_parts", "core.consistency.presolving",
        "core.consistency.star", "core.consistency.windows", "core.trees.chart_sums", "core.trees.checks",
        "core.trees.eisner", "core.trees.sibling_chart", "core.trees.surviving_chart",
    ),
)  # fmt: skip
CONSISTENT_TAGS = Warming(
    (warm_reading, warm_consistent_tags),
    (
        "core.consistency.mrf", "core.consistency.star", "core.parsers.tagger.features", "core.parsers.tagger.trigram",
    ),
)  # fmt: skip
