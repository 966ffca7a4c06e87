"""Interlinear text that FLEx exports (``.flextext``, XML), in one writing system of each kind."""

import re
import xml.etree.ElementTree as xml
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from core.errors import FormatError
from core.treebank.interlinear import (
    MARK,
    interlinear_sentence,
    is_affix,
    is_word,
    joined_morphemes,
    makes_trees,
    spaced,
    word_rows,
)
from core.treebank.tagged import composed_treebank, load_text
from core.treebank.treebank import Treebank

RUN = re.compile(r"(\S)\1*")  # marks of one kind, such as three dots
NOT_SURE = "<Not Sure>"  # what FLEx writes where nobody has chosen a category
KINDS = {"txt": ("txt", "cf"), "gls": ("gls",), "tag": ("pos", "msa")}  # types of items
TREE, PHRASE = "dependencies: ", "flex_phrase"  # how a note with a tree begins; a comment: the number of a phrase
ARC = re.compile(r"(\d{1,6}|_):(\S+)")  # head and relation of a word
KIND_OF = {name: kind for kind, names in KINDS.items() for name in names}


def read_flextext(
    source: str | Path | bytes, encoding: str = "utf-8", name: str | None = None, writing_system: str | None = None
) -> Treebank:
    """Read interlinear text exported by FLEx: ``document / interlinear-text / paragraph / phrase / word / morph``.

    Parameters
    ----------
    source, encoding, name
        As for ``read_conllu``; the XML's own word about its encoding is passed over.
    writing_system : str, optional
        The code of the writing system that forms are taken from: the one that most words have by default.

    Returns
    -------
    Treebank
        Without trees. Forms, glosses and tags are each of one writing system; a word that is not written in it has the
        form ``_``. What other writing systems have stands in MISC, as ``Form_fr=...``. Phrases that have text and no
        words are cut at blanks and punctuation. ``warnings`` count all of these.

    Raises
    ------
    FormatError : no XML, with the line; a document type declaration, which could be a trap; no phrase with text; a
        writing system that no word has.
    """
    text, name, path = load_text(source, encoding, name)
    phrases = labelled_phrases(parsed(text, path))
    languages = WritingSystems([phrase for _, phrase in phrases], writing_system, path)
    read = [_flex_sentence(label, str(n), phrase, languages) for n, (label, phrase) in enumerate(phrases, start=1)]
    sentences = [sentence for sentence, _ in read if sentence]
    without_words = sum(is_cut for _, is_cut in read)
    if not sentences:
        raise FormatError(
            "there is no phrase with words or text; choose a file that FLEx exported as interlinear text", path=path
        )
    notes = languages.notes()
    if without_words:
        notes.append(f"{without_words:,} of {len(sentences):,} phrases have text and no words, and are cut at blanks")
    return composed_treebank(sentences, name, notes=notes)


def labelled_phrases(root: xml.Element) -> list[tuple[str, xml.Element]]:
    """(its text and number, the element) of each phrase."""
    phrases = []
    for number, story in enumerate(root.iter("interlinear-text"), start=1):
        title = items_of(story).get("title-abbreviation") or items_of(story).get("title") or {}
        label = re.sub(r"\s+", "-", next(iter(title.values()), str(number)))
        for position, phrase in enumerate(_phrases(story), start=1):
            segment = next(iter(items_of(phrase).get("segnum", {}).values()), str(position))
            phrases.append((f"{label}-{segment}", phrase))
    return phrases


def _flex_sentence(label, number, phrase, languages):
    """(sentence as ``compose`` takes it, None of a phrase without text; whether its text was cut into words here)."""
    rows = [row for word in words_in(phrase) for row in flex_rows(word, languages)]
    items = items_of(phrase)
    text, is_cut = languages.pick("txt", items), not rows
    if is_cut:
        rows = [row for form in text.split() for row in word_rows(form, "", "", "")]
    if not rows:
        return None, False
    about = {f"text_{language}": translation for language, translation in items.get("gls", {}).items()}
    notes = [note for note in all_of(phrase, "note") if not note.startswith(TREE)]
    about |= {"note": " ".join(notes), PHRASE: number}
    sentence = interlinear_sentence(spaced(rows, text), label, about)
    return sentence | _tree(all_of(phrase, "note"), len(rows)), is_cut


def _tree(notes, count):
    """The heads and relations of a phrase, if a note of it has as many as there are words and they make a tree."""
    written = next((note.removeprefix(TREE).split() for note in notes if note.startswith(TREE)), [])
    arcs = [arc for text in written if (arc := ARC.fullmatch(text))]
    heads = [int(arc[1]) if arc[1] != "_" else None for arc in arcs]
    if len(arcs) != count or len(written) != count or not makes_trees(heads):
        return {}
    return {"heads": heads, "deprels": [arc[2] if arc[2] != "_" else None for arc in arcs]}


def all_of(element: xml.Element, kind: str) -> list[str]:
    """The texts of all items of a type right below an element."""
    texts = (" ".join((item.text or "").split()) for item in element.findall("item") if item.get("type") == kind)
    return [text for text in texts if text]


def parsed(text: str, path: str | None) -> xml.Element:
    """The root of the XML. Raises FormatError."""
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise FormatError("this XML declares a document type, which FLEx never writes; export it again", path=path)
    try:
        return xml.fromstring(text)
    except xml.ParseError as error:
        line = error.position[0]
        raise FormatError(
            f"this is no well-formed XML ({str(error).split(':')[0]}); export it again", path=path, line=line
        ) from None


def _phrases(story):
    """The phrases of a text: of some exports they are elements ``word``, as the words within them are."""
    wrapped = [phrase for phrases in story.iter("phrases") for phrase in phrases if phrase.tag in ("phrase", "word")]
    return wrapped or list(story.iter("phrase"))


def words_in(phrase: xml.Element) -> list[xml.Element]:
    """The words and marks of a phrase."""
    words = phrase.find("words")
    return (phrase if words is None else words).findall("word")


def items_of(element: xml.Element) -> dict[str, dict[str, str]]:
    """type -> language -> text of the items right below an element."""
    texts = defaultdict(dict)
    for item in element.findall("item"):
        text = " ".join((item.text or "").split())
        if text and text != NOT_SURE:
            texts[item.get("type", "")].setdefault(item.get("lang", "und"), text)
    return texts


class WritingSystems:
    """Which writing system each kind of item is taken from: the one that most words have."""

    def __init__(self, phrases: Sequence[xml.Element], writing_system: str | None, path: str | None):
        self.counts = {kind: Counter() for kind in KINDS}
        for phrase in phrases:
            for word in words_in(phrase):
                self._count(word)
        if not self.counts["txt"]:
            self.counts["txt"].update(language for phrase in phrases for language in items_of(phrase).get("txt", {}))
        if writing_system is not None and writing_system not in self.counts["txt"]:
            known = ", ".join(self.counts["txt"]) or "none"
            raise FormatError(f"no word is written in {writing_system!r}; this file has {known}", path=path)
        self.main = {kind: max(counts, key=counts.__getitem__, default="") for kind, counts in self.counts.items()}
        self.main["txt"] = writing_system or self.main["txt"]
        self.places = {kind: {name: order for order, name in enumerate(counts)} for kind, counts in self.counts.items()}
        self.missing = 0

    def _count(self, word):
        by_kind = defaultdict(dict)  # in the order of the file, which decides between equals
        for element in (word, *word.iter("morph")):
            for kind, texts in items_of(element).items():
                by_kind[KIND_OF.get(kind)].update(texts)
        for kind, counts in self.counts.items():
            counts.update(by_kind[kind].keys())

    def pick(self, kind: str, items: Mapping[str, Mapping[str, str]]) -> str:
        """The text of a kind of item in its main writing system, "" where there is none."""
        main = self.main[kind]
        return next((items[name][main] for name in KINDS[kind] if main in items.get(name, {})), "")

    def others(self, kind: str, elements: Iterable[Mapping[str, Mapping[str, str]]]) -> dict[str, str]:
        """language -> the texts of a kind of item in other writing systems, morphemes joined."""
        others = defaultdict(list)
        for items in elements:
            texts = {}
            for name in KINDS[kind]:
                texts = {**items.get(name, {}), **texts}
            for language in texts.keys() - {self.main[kind]}:
                others[language].append(texts[language])
        return {
            language: joined_morphemes(others[language])
            for language in sorted(others, key=self.places[kind].__getitem__)
        }

    def notes(self) -> list[str]:
        """Notes on the choice of writing systems for whoever reads the file."""
        main = self.main["txt"]
        others = ", ".join(language for language in self.counts["txt"] if language != main)
        notes = [f"forms are those of the writing system {main}; in MISC are also {others}"] if others else []
        if self.missing:
            notes.append(f"{self.missing:,} of the words are not written in {main} and have the form _")
        return notes


def flex_rows(word: xml.Element, languages: "WritingSystems") -> list[tuple[str, str, list]]:
    """(form, tag, entries of MISC) of a word, or of each mark of punctuation."""
    items, morphs = items_of(word), [items_of(morph) for morph in word.iter("morph")]
    if items.get("punct") and not items.get("txt"):
        return _mark_rows(items["punct"], languages)
    parts = [tuple(languages.pick(kind, morph) for kind in KINDS) for morph in morphs]
    segments, glosses = (joined_morphemes([part[column] for part in parts if part[column]]) for column in (0, 1))
    form = languages.pick("txt", items) or segments.replace("-", "")
    others = _others(items, morphs, languages)
    if not form and not any(key.startswith(("Form", "MSeg")) for key in others):
        return []
    languages.missing += not form
    tags = [tag for text, _, tag in parts if tag and not is_affix(text or "x")]
    tag = languages.pick("tag", items) or next(iter(tags), "")
    return word_rows(form or "_", segments, glosses or languages.pick("gls", items), tag, others)


def _mark_rows(marks, languages):
    mark = marks.get(languages.main["txt"]) or next(iter(marks.values()))
    return [(run[0], "" if is_word(run[0]) else MARK, []) for run in RUN.finditer(mark)]


def _others(items, morphs, languages):
    """A word's forms, segments and glosses in other writing systems, as entries of MISC."""
    entries = {f"Form_{language}": text for language, text in languages.others("txt", [items]).items()}
    entries |= {f"MSeg_{language}": text for language, text in languages.others("txt", morphs).items()}
    glosses = languages.others("gls", morphs) or languages.others("gls", [items])
    return entries | {f"Gloss_{language}": text for language, text in glosses.items()}
