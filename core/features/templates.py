"""Feature templates of an arc, as in McDonald, Crammer & Pereira (2005), Table 1.

A template reads up to four symbols of the sentence around an arc h -> m, plus the arc's direction and distance.
Its *variants* are the features it yields: each keeps some of those fields and forgets the others. All variants of a
template are functions of the same symbols, so arcs that agree in these symbols share one *group* of features. That
makes a corpus compact (``arc_features.py``).

A key is 64 bits: template, variant, symbols and attachment side by side, so that a feature's name can be read off it.
"""

from dataclasses import dataclass

from core.features.kernels import (
    AFTER_HEAD,
    AFTER_MODIFIER,
    ATTACHMENT_BITS,
    BEFORE_HEAD,
    BEFORE_MODIFIER,
    BETWEEN,
    HEAD_FORM,
    HEAD_TAG,
    MODIFIER_FORM,
    MODIFIER_TAG,
    SYMBOL_SHIFT,
)

# Names of the fields, by number; "tag between" stands for each different tag between the arc's ends.
FIELDS = (
    "head tag",
    "modifier tag",
    "tag before head",
    "tag after head",
    "tag before modifier",
    "tag after modifier",
    "tag between",
    "head form",
    "modifier form",
)

# How much of the attachment a variant keeps.
NOTHING, DIRECTION, DISTANCE = 0, 1, 2  # DISTANCE: direction and distance bin together
DISTANCE_BINS = ("1", "2", "3", "4", "5", "6-10", ">10")  # bins of distances in druck2009's Table 3

SYMBOL_BITS = (12, 12, 12, 12)  # bits of a template that reads tags only: up to 4,095 tags
LEXICAL_BITS = (16, 16, 9, 9)  # bits of a template that reads forms: the 65,535 most frequent, 511 tags


@dataclass(frozen=True)
class Template:
    """Which fields are read, and the variants: (kept fields, how much of the attachment)."""

    fields: tuple
    variants: tuple

    @property
    def bits(self) -> tuple[int, ...]:
        return LEXICAL_BITS if HEAD_FORM in self.fields or MODIFIER_FORM in self.fields else SYMBOL_BITS

    def masks(self) -> list[int]:
        """One 64-bit mask a variant: the bits of a group's key that this feature keeps."""
        masks = []
        for used_fields, attachment in self.variants:
            # The lowest attachment bit is the direction, the bits above it the distance bin.
            mask, shift = (0, 1, (1 << ATTACHMENT_BITS) - 1)[attachment], SYMBOL_SHIFT
            for position, width in enumerate(self.bits):
                if position < len(self.fields) and self.fields[position] in used_fields:
                    mask |= ((1 << width) - 1) << shift
                shift += width
            masks.append(mask)
        return masks


def _all(fields, *attachments):
    return tuple((fields, attachment) for attachment in attachments)


PAIR = (HEAD_TAG, MODIFIER_TAG)
BETWEEN_PAIR = (HEAD_TAG, BETWEEN, MODIFIER_TAG)
SURROUNDING = (
    (HEAD_TAG, AFTER_HEAD, BEFORE_MODIFIER, MODIFIER_TAG),
    (BEFORE_HEAD, HEAD_TAG, BEFORE_MODIFIER, MODIFIER_TAG),
    (HEAD_TAG, AFTER_HEAD, MODIFIER_TAG, AFTER_MODIFIER),
    (BEFORE_HEAD, HEAD_TAG, MODIFIER_TAG, AFTER_MODIFIER),
)
WORDS = (HEAD_FORM, MODIFIER_FORM, HEAD_TAG, MODIFIER_TAG)
WORD_COMBINATIONS = (
    (HEAD_FORM,),
    (MODIFIER_FORM,),
    (HEAD_FORM, HEAD_TAG),
    (MODIFIER_FORM, MODIFIER_TAG),
    (HEAD_FORM, MODIFIER_TAG),
    (HEAD_TAG, MODIFIER_FORM),
    (HEAD_FORM, MODIFIER_FORM),
    WORDS,
)


def _templates(pairs, attachments):
    """Tag pairs as given; in-between and surrounding tags with each of ``attachments``."""
    return (
        Template(PAIR, pairs),
        Template(BETWEEN_PAIR, _all(BETWEEN_PAIR, *attachments)),
        *(Template(fields, _all(fields, *attachments)) for fields in SURROUNDING),
    )


RESTRICTED = (Template(PAIR, _all(PAIR, DIRECTION)),)

# Everything is conjoined with direction and distance, as in the paper McDonald et al. (2005). Where a constraint is
# the only teacher, features that forget them tie the two sides of a head together and cost ten points of accuracy.
FULL = _templates(
    _all((HEAD_TAG,), DISTANCE)
    + _all((MODIFIER_TAG,), DISTANCE)
    + _all(PAIR, DISTANCE)
    + _all((), DIRECTION, DISTANCE),
    (DISTANCE,),
)

# With gold trees to learn from, the features without attachment are useful back-offs.
LEXICALIZED = (
    *_templates(
        _all((HEAD_TAG,), NOTHING, DISTANCE)
        + _all((MODIFIER_TAG,), NOTHING, DISTANCE)
        + _all(PAIR, NOTHING, DIRECTION, DISTANCE)
        + _all((), DIRECTION, DISTANCE),
        (DIRECTION, DISTANCE),
    ),
    Template(WORDS, tuple((fields, attachment) for fields in WORD_COMBINATIONS for attachment in (NOTHING, DISTANCE))),
)

FEATURE_SETS = {"restricted": RESTRICTED, "full": FULL, "lexicalized": LEXICALIZED}
