"""How much each added parse counts beside the universal parser, and how good it is where that was learnt."""

from typing import TYPE_CHECKING

import numpy as np

from core.store import Corpus
from core.workspace.parses import load_parse, weighed_parses
from core.workspace.scored_text import scored_text
from core.workspace.wording import share_in_text, weights_text

if TYPE_CHECKING:
    from core.workspace.registry import Systems  # loads every system, which the first page does not need


def weight_notes(systems: "Systems", corpus: Corpus) -> list[str]:
    """The weights of the parses that were added to a Corpus, in sentences with the conditions of each figure.

    Right heads are those of the checked sentences by which a weight was learnt. Raises WorkbenchError as ``load_parse``
    of WEIGHED does.
    """
    return [f"{parse.name}: {_said(systems, corpus, parse.key, weights)}"
            for parse, weights in weighed_parses(systems, corpus)]  # fmt: skip


def _said(systems, corpus, key, weights):
    workspace = systems.workspace
    text, parse = workspace.treebank(corpus), load_parse(systems, corpus, key)
    shared = np.intersect1d(workspace.settled(corpus).by_hand, parse.picks)
    if not len(shared):
        return "weight 0, since it has no tree of a checked sentence."
    gold, judged = (bank.select(np.isin(bank.picks, shared)) for bank in (text, parse))
    score = scored_text(workspace, corpus).score(gold, judged, parser=key, former_tags=0, tags_by_hand=0)
    right = f"{share_in_text(score.hits, score.words).removesuffix(')')}, {score.conditions.phrase})"
    return f"{weights_text(*weights)}. Learnt from checked sentences, where {right} of its heads are right."
