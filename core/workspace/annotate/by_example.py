"""Rules by example: the sentences that somebody has corrected, and what would make the same change everywhere.

Requests come from ``core.search.by_example``. A rule stands beside them where a word had too many dependents of one
relation. So does a constraint where words of one tag were attached to words of another.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.annotation import SentenceAnnotation
from core.errors import WorkbenchError
from core.markup.agreement import wilson
from core.search.by_example import ExampleProposal, propose_by_example
from core.search.by_example.units import units_of
from core.treebank import Treebank
from core.treebank.retag import with_column
from core.workspace.annotations import Annotations

MOST_PICKED, MOST_LOOKED_AT = 3, 10  # corrections that are proposed from at first, and that these are chosen among
RARELY = 0.2  # of the words that have a relation: so many may have it twice, else that is no mistake


@dataclass(frozen=True)
class ByExample:
    """What is proposed from corrections.

    Attributes
    ----------
    proposals : tuple of ExampleProposal
    rules : tuple of (str, int)
        Rules over relations, in their notation, and how many words of the other sentences break each.
    constraints : tuple of str
        In the notation of constraints.
    """

    proposals: tuple[ExampleProposal, ...]
    rules: tuple[tuple[str, int], ...]
    constraints: tuple[str, ...]

    @property
    def kinds(self) -> int:
        """How many kinds of change the corrections have."""
        return 1 + max(proposal.kind for proposal in self.proposals)


def by_example(text: Treebank, corrected: Mapping[int, SentenceAnnotation], confirmed: Iterable[int] = ()) -> ByExample:
    """What is proposed from corrected sentences of a text.

    Parameters
    ----------
    text : Treebank
        With those sentences as they were before.
    corrected : dict of int to SentenceAnnotation
    confirmed : iterable of int
        Indices of other sentences that are right as they are.

    Raises
    ------
    WorkbenchError : as ``propose_by_example``.
    """
    proposals = propose_by_example(text, corrected, frozenset(confirmed) - corrected.keys())
    return ByExample(proposals, tuple(_bans(text, corrected)), tuple(_attachments(text, corrected)))


def corrected_sentences(layer: Annotations) -> list[int]:
    """Indices of the sentences whose tree or tags were corrected, the one that was changed last first.

    Sentences that had no tree in the file are none of them.
    """
    states, corrected = layer.states(), []
    for index, annotation in layer.annotations().items():
        original = layer.original(index)
        columns = [(each.heads, each.deprels, each.upos) for each in (original, annotation)]
        if columns[0] != columns[1] and original.complete and annotation.complete:
            corrected.append(index)
    return sorted(corrected, key=lambda index: (states[index].time if index in states else "", index), reverse=True)


def last_alike(layer: Annotations, corrected: Sequence[int]) -> list[int]:
    """Of corrected sentences, the last first: the last one, and others before it with a change in common, at most 3."""
    kinds = {index: _kinds(layer, index) for index in corrected[:MOST_LOOKED_AT]}
    picked, common = [], set()
    for index, own in kinds.items():
        if not picked or common & own:
            common = common & own if picked else own
            picked.append(index)
    return picked[:MOST_PICKED]


def _kinds(layer, index):
    """What kinds of change a corrected sentence has: a set of (name of a shape, new relation)."""
    units = units_of(layer.source, index, layer.get(index)[0])
    return {(shape, unit.new) for unit in units for shape in unit.places}


def from_corrections(layer: Annotations, standing: Treebank, picked: Sequence[int]) -> ByExample:
    """What is proposed from the corrections of ``picked`` sentences, in the text as it stands.

    Parameters
    ----------
    layer : Annotations
        The version that is open.
    standing : Treebank
        Its sentences under all corrections.
    picked : sequence of int

    Raises
    ------
    WorkbenchError : none is picked; as ``propose_by_example``.
    """
    if not picked:
        raise WorkbenchError("choose one to three corrected sentences; what they have in common is proposed")
    done = {index for index, state in layer.states().items() if state.status == "done"}
    corrected = {index: layer.get(index)[0] for index in picked}
    return by_example(as_before(standing, layer.source, picked), corrected, done)


def as_before(standing: Treebank, source: Treebank, indices: Sequence[int]) -> Treebank:
    """A text as it stands, its sentences at ``indices`` with the trees and tags of ``source``, which has the same rows.

    O(rows).
    """
    rows = np.flatnonzero(np.isin(standing.sentence_rows, indices)).tolist()
    heads = standing.heads.copy()
    heads[rows] = source.heads[rows]
    relations = standing.deprel.with_values({row: source.deprel[row] for row in rows})
    text = standing.with_heads(heads, relations)
    return with_column(text, "upos", text.upos.with_values({row: source.upos[row] for row in rows}))


def _bans(text, corrected):
    """(rule, how many other words break it) where every corrected sentence had a word with two of a relation."""
    seen = []
    for index, after in corrected.items():
        before, new = _relations_of(text[index].heads, text[index].deprels), _relations_of(after.heads, after.deprels)
        twice = {(word, relation) for (word, relation), count in before.items() if count > 1 and word}
        seen.append({(text[index].upos[word], name) for word, name in twice if new[word, name] == 1})
    common = set.intersection(*({name for _, name in pairs} for pairs in seen))
    counts = np.zeros(len(text.heads), np.int64)
    rest = ~np.isin(text.sentence_rows, list(corrected))
    for relation in sorted(common):
        tags = sorted({tag for pairs in seen for tag, name in pairs if name == relation})
        if "" in tags:
            continue
        rows = np.flatnonzero(text.deprel.mask(lambda value, name=relation: value.partition(":")[0] == name))
        counts = np.bincount(text.root_rows[rows] + text.heads[rows], minlength=len(text.heads))
        of_tag = text.upos.mask(lambda value, tags=tags: value in tags) & rest
        breaks = int((of_tag & (counts > 1)).sum())
        if breaks <= RARELY * max(1, int((of_tag & (counts > 0)).sum())):
            yield f"{_any_of(tags)} has at most 1 {relation}", breaks


def _relations_of(heads, relations):
    """Counter of (head, relation without its subtype)."""
    return Counter(
        (int(head), name.partition(":")[0]) for head, name in zip(heads[1:], relations[1:], strict=True) if name
    )


def _any_of(tags):
    return tags[0] if len(tags) == 1 else "{" + " ".join(tags) + "}"


def _attachments(text, corrected):
    """Constraints: words of a tag that were attached, in every corrected sentence, to words of another."""
    pairs = [
        {
            (after.upos[word], after.upos[head], word < head)
            for word, head in enumerate(after.heads)
            if head > 0 and head != text[index].heads[word] and after.upos[word] and after.upos[head]
        }
        for index, after in corrected.items()
    ]
    for tag, head_tag, is_before in sorted(set.intersection(*pairs)):
        fits = [
            after.upos[head] == head_tag and (word < head) == is_before
            for after in corrected.values()
            for word, head in enumerate(after.heads)
            if after.upos[word] == tag and word
        ]
        low, _ = wilson(sum(fits), len(fits))
        if low is not None and 2 * sum(fits) > len(fits):
            arc = f"{tag} <- {head_tag}" if is_before else f"{head_tag} -> {tag}"
            yield f"{arc} per modifier = {low:.2f}..1.00"
