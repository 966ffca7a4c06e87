"""Which tiers of an ELAN file are text, words, and columns of words: by their types, their names and what they hold."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.errors import FormatError, quoted
from core.treebank.eaf import ASSOCIATION, SUBDIVISIONS, EafDocument, Tier, TierAnnotation
from core.treebank.interlinear import is_affix, joined_morphemes
from core.treebank.punctuation import UNIVERSAL

WRITTEN = ("lemma", "upos", "xpos", "feats", "head", "deprel")  # columns that have tiers of ours, in this order
NAMES = {  # words in a tier's name that tell what it holds
    "lemma": {"lemma", "lemmas", "lemme"},
    "upos": {"upos"},
    "xpos": {"xpos", "pos", "ps", "tag", "tags", "postag", "wordclass", "msa"},
    "feats": {"feats", "features"},
    "head": {"head", "heads"},
    "deprel": {"deprel", "deprels"},
    "gloss": {"gloss", "glosses", "gl", "ge", "gls"},
    "translation": {"ft", "fte", "translation", "translations", "free", "freetranslation"},
    "text": {"tx", "text", "txt", "transcription", "transcript", "utterance", "utterances", "utt", "ortho", "trs"},
    "words": {"word", "words", "wd", "w", "token", "tokens", "tok", "wort", "mot", "mots", "palabra", "palabras"},
}
EMPTY = "_"  # what stands in a column of ours for nothing, where the file's own tier has something
READ = ("lemma", "upos", "xpos", "feats")  # columns of which a word may have several readings
OF_WORDS = (*WRITTEN, "gloss")
HALF, FEW = 0.5, 0.1  # shares of annotations


@dataclass(frozen=True, eq=False)
class Layer:
    """The tiers of one speaker.

    Attributes
    ----------
    text : Tier
        An annotation is a sentence.
    words : Tier or None
    columns, own : dict of str to Tier
        Below ``words``, by the names in ``OF_WORDS``: tiers that were there, and those that the workbench wrote.
    readings : dict of str to Tier
        The columns among these that stand below another one, and that one: tags of each lemma that a word may have.
    morphemes : Tier or None
        Below ``words``; ``of_morphemes`` are its columns.
    translation : Tier or None
    """

    text: Tier
    words: Tier | None
    columns: dict[str, Tier]
    own: dict[str, Tier]
    readings: dict[str, Tier]
    morphemes: Tier | None
    of_morphemes: dict[str, Tier]
    translation: Tier | None

    def words_of(self, utterance: TierAnnotation) -> list[TierAnnotation]:
        """The words of an annotation of ``text``, in order; none where nobody has cut it."""
        return [] if self.words is None else self.words.below.get(utterance.id, [])

    def value(self, column: str, word: TierAnnotation) -> str:
        """What a word has in a column, "" for nothing."""
        tier = self.own.get(column) or self.columns.get(column)
        if tier is not None:
            text = _first_reading(tier, self.readings.get(column), word)
            return "" if text == EMPTY and column in WRITTEN else text
        if column not in ("gloss", "xpos") or column not in self.of_morphemes:
            return ""
        parts = [(part.text, joined_text(self.of_morphemes[column], part)) for part in self.morphemes_of(word)]
        if column == "gloss":
            return joined_morphemes([gloss for _, gloss in parts if gloss])
        return next((tag for text, tag in parts if tag and not is_affix(text or "x")), "")

    @property
    def ambiguous(self) -> list[Tier]:
        """The tiers of columns in which some word has more than one annotation, of which the first is read."""
        tiers = [tier for tier in self.columns.values() if tier.constraint != ASSOCIATION]
        return [tier for tier in tiers if any(len(each) > 1 for each in tier.below.values())]

    def line(self, column: str, word: TierAnnotation) -> int:
        """The line of the file where a word has its value of a column."""
        tier = self.own.get(column) or self.columns[column]
        return tier.below[word.id][0].value.line

    def morphemes_of(self, word: TierAnnotation) -> list[TierAnnotation]:
        """The morphemes of a word, in order."""
        return [] if self.morphemes is None else self.morphemes.below.get(word.id, [])


def _first_reading(tier, above, word):
    """What a tier says of a word: of the first reading where each may have several, in that tier or the one above."""
    if above is not None:
        readings = above.below.get(word.id, [])
        return _first_reading(tier, None, readings[0]) if readings else ""
    if tier.constraint == ASSOCIATION:
        return joined_text(tier, word)
    return next((each.text for each in tier.below.get(word.id, []) if each.text), "")


def joined_text(tier: Tier, annotation: TierAnnotation) -> str:
    """What a tier says of an annotation of the tier above."""
    return " ".join(each.text for each in tier.below.get(annotation.id, []) if each.text)


def layers_of(document: EafDocument, chosen: Sequence[str] | None = None) -> list[Layer]:
    """The tiers of each speaker, in the order of the file.

    ``chosen`` are names of transcription tiers. By default a tier above one of words is one, and so is one that is
    named as text. Where none is named so, others of the type of one with words are too. Where there are neither, all
    that are aligned with time are. Raises FormatError where a chosen tier is not there.
    """
    if chosen:
        missing = [name for name in chosen if name not in document.tiers]
        if missing:
            known = ", ".join(map(quoted, document.tiers)) or "none"
            raise FormatError(f"there is no tier {quoted(missing[0])}; this file has {known}", path=document.xml.path)
        return _with_universal([_layer(document, document.tiers[name], [document.tiers[name]]) for name in chosen])
    return _with_universal(_usual_layers(document))


def _usual_layers(document):
    tiers = document.tiers.values()
    roots = [tier for tier in tiers if tier.above is None and any(each.begin is not None for each in tier.annotations)]
    families = [[root, *document.children(root, ASSOCIATION)] for root in roots]
    found = [_layer(document, _text_tier(document, family), family) for family in families]
    named = [layer for layer in found if _is_named(layer.text, "text")]
    types = {layer.text.type for layer in found if layer.words is not None}
    alike = [layer for layer in found if layer.words is not None or (layer.text.type in types and not named)]
    told = [layer for layer in found if layer in alike or layer in named]
    return told or found


def own_name(column: str, text: Tier) -> str:
    """The name of a tier that the workbench writes for a tier of text; ``column`` is "words" or one of ``WRITTEN``."""
    return f"{column}@{text.id}"


def _text_tier(document, family):
    root = family[0]
    for tier in family:
        if _word_tier(document, tier):
            return tier
    if named := next((tier for tier in family if _is_named(tier, "text")), None):
        return named
    texts = [each.text for each in root.annotations if each.text]
    labels = sum(" " not in text and any(sign.isdigit() for sign in text) for text in texts)
    return family[1] if labels > HALF * len(texts) and len(family) > 1 else root


def _layer(document, text, family):
    words = _word_tier(document, text)
    below = document.children(words, ASSOCIATION) if words else []
    own = {column: tier for column in WRITTEN for tier in below if tier.id == own_name(column, text)}
    cut = document.children(words, *SUBDIVISIONS) if words else []
    read = [tier for tier in cut if any(_is_named(tier, column) for column in READ)]
    columns = _columns([*(tier for tier in below if tier not in own.values()), *read])
    readings = _readings(document, read, columns)
    cut = [tier for tier in cut if tier not in read]
    morphemes = max(cut, key=lambda tier: len(tier.annotations), default=None)
    of_morphemes = _columns(document.children(morphemes, ASSOCIATION)) if morphemes else {}
    near = [tier for tier in (*document.children(text, ASSOCIATION), *family) if tier is not text]
    translation = next((tier for tier in near if _is_named(tier, "translation")), None)
    return Layer(text, words, columns, own, readings, morphemes, of_morphemes, translation)


def _readings(document, read, columns):
    """The columns that stand below one of the tiers ``read``, and that one; they are added to ``columns``."""
    readings = {}
    for above in (tier for tier in read if tier in columns.values()):
        for column, tier in _columns(document.children(above, ASSOCIATION, *SUBDIVISIONS)).items():
            if column in READ and column not in columns:
                readings[column], columns[column] = above, tier
    return readings


def _columns(tiers):
    """Column -> the first tier that is named so; heads must be numbers, for other things have heads too."""
    columns = {}
    for tier in tiers:
        column = next((each for each in OF_WORDS if _is_named(tier, each)), None)
        numbers = all(each.text.isdigit() for each in tier.annotations if each.text)
        if column is not None and (column != "head" or numbers):
            columns.setdefault(column, tier)
    return columns


def _with_universal(layers):
    """The layers, whose tags are UPOS if all are universal ones and no tier is named so."""
    tiers = [layer.columns["xpos"] for layer in layers if "xpos" in layer.columns]
    tags = {each.text for tier in tiers for each in tier.annotations} - {""}
    if not tags or not tags <= UNIVERSAL or any("upos" in layer.columns for layer in layers):
        return layers
    return [replace(layer, columns=_renamed(layer.columns), readings=_renamed(layer.readings)) for layer in layers]


def _renamed(columns):
    return {"upos" if column == "xpos" else column: tier for column, tier in columns.items()}


def _word_tier(document, tier):
    """The tier of words right below one: named so, or with the letters of the text; and not of morphemes.

    Of several the one that the workbench wrote, else the first of those with most columns of words below.
    """
    tiers = [each for each in document.children(tier, *SUBDIVISIONS) if _holds_words(tier, each)]
    own = next((each for each in tiers if each.id == own_name("words", tier)), None)
    return own or max(tiers, key=lambda each: len(_columns(document.children(each, ASSOCIATION))), default=None)


def _holds_words(text, tier):
    if tier.id == own_name("words", text):
        return True
    affixes = sum(is_affix(each.text) for each in tier.annotations if len(each.text) > 1)
    if affixes > FEW * len(tier.annotations):
        return False
    if _is_named(tier, "words"):
        return True
    both = [(each, tier.below[each.id]) for each in text.annotations if each.id in tier.below]
    same = sum(letters(each.text) == letters("".join(word.text for word in words)) for each, words in both)
    return bool(both) and same > HALF * len(both)


def letters(text: str) -> str:
    """The letters and digits of a text, in small letters."""
    return "".join(sign for sign in text.lower() if sign.isalnum())


def _is_named(tier, meaning):
    """Whether a tier is called so: its name before ``@`` and the speaker, or its type."""
    name = tier.id.partition("@")[0] or tier.id
    return any(NAMES[meaning].intersection(re.split(r"[\W_]+", each.lower())) for each in (name, tier.type))
