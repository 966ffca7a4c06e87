"""Versions of a text's trees by different people: the file's own, annotators' layers, other files of the same words."""

from collections.abc import Mapping, Sequence

from core.annotation import SentenceAnnotation
from core.annotation.agreement import attachment_alpha, disagreements, pairwise
from core.errors import WorkbenchError
from core.files.tables import columns_of
from core.languages.direction import bidi_isolate
from core.store import Corpus
from core.treebank import Treebank
from core.workspace.annotations import Annotations, layers_of
from core.workspace.parses import AvailableParse, offered_texts, trees_of_text, with_distinct_names
from core.workspace.workspace import Workspace

FILE = AvailableParse("file", "the file’s own trees")
PROJECT = "the project’s trees"


def offered_versions(workspace: Workspace, corpus: Corpus) -> list[AvailableParse]:
    """The versions of a Corpus, no two of one name: layers, the file's own trees, texts with the same words."""
    layers = [AvailableParse(f"layer-{name}", name or PROJECT) for name in layers_of(workspace.store, corpus)]
    file = [FILE] if workspace.standing(corpus).file_has_trees else []
    return with_distinct_names([*layers, *file, *offered_texts(workspace.store, corpus)])


def load_versions(
    workspace: Workspace, corpus: Corpus, offers: Sequence[AvailableParse]
) -> dict[str, dict[int, SentenceAnnotation]]:
    """dict of name to (dict of index to SentenceAnnotation) of chosen parses.

    A layer has the sentences that were touched; beside layers, files count only where one of them has a sentence.
    Raises WorkbenchError where a version is gone.
    """
    layers = {
        offer.name: Annotations(workspace, corpus, offer.key.removeprefix("layer-")).annotations()
        for offer in offers
        if offer.key.startswith("layer-")
    }
    touched = set().union(*layers.values()) if layers else None
    return {
        offer.name: layers[offer.name] if offer.name in layers else _file(workspace, corpus, offer, touched)
        for offer in offers
    }


def agreement_table(versions: Mapping[str, dict[int, SentenceAnnotation]]) -> dict[str, list]:
    """Columns of a table over every two versions, each number out of how many."""
    rows = []
    for (one, other), pair in pairwise(versions):
        shares = ((pair.heads, pair.words), (pair.both, pair.words), (pair.complete, pair.sentences))
        same_head, same_both, whole = (_share(part, total) for part, total in shares)
        rows.append((f"{one} · {other}", pair.sentences, same_head, same_both, pair.kappa, whole))
    return columns_of(("versions", "sentences", "same head", "head and relation", "kappa", "whole sentences"), rows)


def alphas(versions: Mapping[str, dict[int, SentenceAnnotation]]) -> tuple[float | None, float | None]:
    """Krippendorff's alpha over all versions: (attachments with relations, without); each may be None."""
    annotations = list(versions.values())
    return attachment_alpha(annotations), attachment_alpha(annotations, labels=False)


def differing_table(
    source: Treebank, first: dict[int, SentenceAnnotation], second: dict[int, SentenceAnnotation]
) -> tuple[list[int], dict[str, list]]:
    """(indices, columns of a table) of the sentences on which two versions differ, the most differences first."""
    counts = {index: len(disagreements(first[index], second[index])) for index in set(first) & set(second)}
    indices = sorted((index for index in counts if counts[index]), key=lambda index: (-counts[index], index))
    rows = [(index + 1, counts[index], bidi_isolate(source[index].text)) for index in indices]
    return indices, columns_of(("sentence", "differences", "text"), rows)


def _file(workspace, corpus, offer, touched):
    treebank = workspace.treebank_before_hand(corpus)
    if offer != FILE:
        other = workspace.store.corpus(int(offer.key.removeprefix("corpus-")))
        treebank = trees_of_text(workspace, corpus, other)
    if touched and max(touched) >= len(treebank):
        raise WorkbenchError(f"{offer.name} has fewer sentences than were annotated; choose another version")
    chosen = range(len(treebank)) if touched is None else sorted(touched)
    return {index: SentenceAnnotation.of(treebank[index]) for index in chosen}


def _share(part, whole):
    return f"{part / whole:.1%} · {part:,} of {whole:,}" if whole else "none in common"
