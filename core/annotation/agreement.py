"""Agreement of annotators on the trees of the same sentences.

Measures are shares, Cohen's kappa on relations, and Krippendorff's alpha on attachments. Alpha is the nominal one
(Krippendorff 2004, Content Analysis, section 11.3) over words, for any number of annotators, with gaps. A word's value
is the signed distance of its head, with its relation. The alpha of Skjaerholt (2014), P14-1088, is another one: it is
over whole trees by edit distance.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from core.annotation.edits import SentenceAnnotation


@dataclass(frozen=True)
class AnnotatorAgreement:
    """Agreement of two annotators over the words for which both gave a head.

    ``kappa`` is Cohen's on relations, None where chance alone would always agree. ``heads``, ``labels`` and ``both``
    count words on which they agree.
    """

    sentences: int
    words: int
    heads: int
    labels: int
    both: int
    complete: int
    kappa: float | None

    @property
    def uas(self) -> float | None:
        """Share of words with the same head, in percent; None without words."""
        return 100.0 * self.heads / self.words if self.words else None

    @property
    def las(self) -> float | None:
        """Share of words with the same head and relation, in percent; None without words."""
        return 100.0 * self.both / self.words if self.words else None


def agreement(first: dict[int, SentenceAnnotation], second: dict[int, SentenceAnnotation]) -> AnnotatorAgreement:
    """The AnnotatorAgreement of two dicts of index to Annotation, over the sentences that both have."""
    pairs = []
    for index in sorted(set(first) & set(second)):
        one, other = first[index], second[index]
        values = zip(one.heads[1:], one.deprels[1:], other.heads[1:], other.deprels[1:], strict=True)
        pairs.append([((head, name), (head2, name2)) for head, name, head2, name2 in values if min(head, head2) >= 0])
    words = [pair for sentence in pairs for pair in sentence]
    return AnnotatorAgreement(
        sentences=sum(bool(sentence) for sentence in pairs),
        words=len(words),
        heads=sum(one[0] == other[0] for one, other in words),
        labels=sum(one[1] == other[1] for one, other in words),
        both=sum(one == other for one, other in words),
        complete=sum(bool(sentence) and all(one == other for one, other in sentence) for sentence in pairs),
        kappa=cohen_kappa([(one[1], other[1]) for one, other in words]),
    )


def cohen_kappa(pairs: Collection[tuple]) -> float | None:
    """Cohen's kappa of pairs of labels; None if there are none, or where chance always agrees."""
    if not pairs:
        return None
    total = len(pairs)
    observed = sum(one == other for one, other in pairs) / total
    ones, others = Counter(one for one, _ in pairs), Counter(other for _, other in pairs)
    expected = sum(ones[label] * others[label] for label in ones) / total**2
    return None if expected == 1.0 else (observed - expected) / (1.0 - expected)


def krippendorff_alpha(units: Iterable[Iterable]) -> float | None:
    """Nominal alpha of units, each an iterable of the annotators' values (None for a gap).

    Returns None where fewer than two values can be compared, or all values are equal.
    """
    coincidences: dict[tuple, float] = defaultdict(float)
    for unit in units:
        values = [value for value in unit if value is not None]
        if len(values) < 2:
            continue
        for one, count in Counter(values).items():
            for other, times in Counter(values).items():
                pairs = count * times - (count if one == other else 0)
                coincidences[one, other] += pairs / (len(values) - 1)
    totals: dict = defaultdict(float)
    for (one, _), weight in coincidences.items():
        totals[one] += weight
    total = sum(totals.values())
    observed = sum(weight for (one, other), weight in coincidences.items() if one != other)
    expected = (total**2 - sum(weight**2 for weight in totals.values())) / (total - 1) if total > 1 else 0.0
    return None if expected <= 0 else 1.0 - observed / expected


def attachment_alpha(versions: Sequence[dict[int, SentenceAnnotation]], labels: bool = True) -> float | None:
    """Krippendorff's alpha of attachments over two or more dicts of index to Annotation; with relations or without."""
    units = []
    for index in sorted(set().union(*versions)):
        known = [version[index] for version in versions if index in version]
        if len(known) > 1:
            units += [[_value(tree, word, labels) for tree in known] for word in range(1, len(known[0]) + 1)]
    return krippendorff_alpha(units)


def disagreements(first: SentenceAnnotation, second: SentenceAnnotation) -> list[int]:
    """Words (1..n) whose head or relation differs between two annotations, or is missing in one."""
    return [
        word
        for word in range(1, len(first) + 1)
        if (first.heads[word], first.deprels[word]) != (second.heads[word], second.deprels[word])
    ]


def pairwise(versions: Mapping[str, dict[int, SentenceAnnotation]]) -> list[tuple[tuple[str, str], AnnotatorAgreement]]:
    """((name, name), AnnotatorAgreement) for every two of a dict of name to version."""
    return [((one, other), agreement(versions[one], versions[other])) for one, other in combinations(versions, 2)]


def _value(annotation, word, labels):
    head = annotation.heads[word]
    if head < 0:
        return None
    attachment = "root" if head == 0 else head - word
    return (attachment, annotation.deprels[word]) if labels else attachment
