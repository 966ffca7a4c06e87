"""Before anything is learnt from a text: its trees under the universal parser, and what each answer did to an arc."""

from collections.abc import Hashable
from typing import cast

import numpy as np

from core.callbacks import Cancel
from core.constraints.authoring.preview import ScoredArcs
from core.errors import Cancelled
from core.parsers.crf.distribution import TreeDistribution
from core.parsers.universal.parser import UniversalParser
from core.treebank import Column
from core.trees import PackedScores
from core.workspace.constraints.conditioning import conditioned_parser, known_language, parsed_words
from core.workspace.constraints.inputs import ConstraintInputs, ConstraintOutcome
from core.workspace.constraints.plan import GrammarPlan
from core.workspace.parse import Parse
from core.workspace.workspace import Workspace

AT_ONCE = 200  # sentences that are parsed between two questions whether to go on


def prior_key(text: ConstraintInputs) -> Hashable:
    """Names the parse of a text by the universal parser: what it reads, and what it is told of the language."""
    plan = cast(GrammarPlan, text.settings)
    return text.read, known_language(text.corpus, text.sentences), plan.prior, plan.kin, plan.word_order


def first_parser(workspace: Workspace, text: ConstraintInputs) -> UniversalParser:
    """The universal parser under the answers of a text."""
    plan = cast(GrammarPlan, text.settings)
    return conditioned_parser(workspace, text.corpus, text.key, text.sentences, plan)


def first_outcome(workspace: Workspace, text: ConstraintInputs, cancel: Cancel | None = None) -> ConstraintOutcome:
    """The ConstraintOutcome of the universal parser on a text. O(sum of n^3). Raises Cancelled."""
    parser, count = first_parser(workspace, text), len(text.treebank)
    heads, relations, values, offsets = [], [], [], [0]
    for begin in range(0, count, AT_ONCE):
        if cancel is not None and cancel():
            raise Cancelled
        part, marginals = parsed_words(parser, text, np.arange(begin, min(begin + AT_ONCE, count)))
        heads.append(part.heads)
        relations += part.deprel.strings().tolist()
        values.append(marginals.values.astype(np.float32))
        offsets += (marginals.offsets[1:] + offsets[-1]).tolist()
    arcs = PackedScores(np.concatenate(values), np.array(offsets, np.int64))
    parse = Parse(np.concatenate(heads), Column.intern(relations), marginals=arcs)
    return ConstraintOutcome(inputs=text, plan=text.settings, parse=parse, prior=prior_key(text))


def first_arcs(workspace: Workspace, text: ConstraintInputs) -> ScoredArcs:
    """The universal parser's model of the trees of a text. O(sum of n^2)."""
    return ScoredArcs(TreeDistribution(projective=True), first_parser(workspace, text).arc_weights(text.sentences))
