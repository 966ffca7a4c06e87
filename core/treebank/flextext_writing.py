"""Trees written into the FLEx text that they are of: tags as items of words, heads and relations as a note of a phrase.

All other bytes stay. FLEx has no place for what a word depends on, so the note is for us; FLEx keeps it as a note.
"""

from collections.abc import Iterator
from pathlib import Path

from core.errors import FormatError
from core.treebank.flextext import (
    PHRASE,
    TREE,
    WritingSystems,
    flex_rows,
    labelled_phrases,
    parsed,
    words_in,
)
from core.treebank.interlinear import MARK, is_word
from core.treebank.sentence import Sentence
from core.treebank.treebank import Treebank
from core.treebank.xml_places import Element, XmlText, appended_text, escaped, replaced_text

REMEDY, USUAL = "export it again", "en"  # USUAL is the writing system of items in a file that has none of its kind


def written_into_flextext(data: bytes, treebank: Treebank, path: str | Path | None = None) -> tuple[bytes, list[str]]:
    """The bytes of a FLEx text with the tags and trees of a text that was read from it, and notes on what is not.

    Parameters
    ----------
    data : bytes
        The file; ``path`` is its name for errors.
    treebank : Treebank
        Its comments name the number of each phrase, as ``read_flextext`` leaves them.

    Returns
    -------
    (bytes, list of str)
        A word gets its tag as ``item type="pos"`` unless the file has it. The tag is XPOS where the text has any, else
        UPOS. A phrase with a head gets ``item type="note"``, which ``read_flextext`` reads as a tree.
        O(bytes).

    Raises
    ------
    FormatError : no FLEx text; not the one that the text was read from.
    """
    xml = XmlText.of(data, path, REMEDY)
    xml.require_same(data)
    root = parsed(xml.body.decode(), xml.path)
    phrases = [phrase for _, phrase in labelled_phrases(root)]
    writing = WritingSystems(phrases, None, xml.path)
    places = dict(zip(root.iter(), _in_order(xml.root), strict=True))
    sentences = _numbered(treebank)
    glossing = writing.main["gls"] or USUAL
    tagging = writing.main["tag"] or glossing
    edits, unlike, tags = [], 0, "xpos" if treebank.xpos.filled else "upos"
    for sentence, number in sentences:
        phrase = phrases[number - 1] if 0 < number <= len(phrases) else None
        words = _words_of(phrase, sentence, writing)
        if phrase is None or words is None:
            unlike += 1
            continue
        for word, value in _new_tags(words, getattr(sentence, tags)[1:]):
            edits.append(_tag_edit(word, value, tagging, places))
        edits += _tree_edit(phrase, sentence, glossing, places)
    if 2 * unlike > len(sentences):
        message = f"{unlike:,} of {len(sentences):,} sentences have other words than its phrases; give the file that"
        raise FormatError(f"{message} the text was read from", path=path)
    notes = [f"{unlike:,} sentences have other words than their phrases, and are left out"] if unlike else []
    return xml.spliced(edits), notes


def _numbered(treebank):
    """(sentence, the number of its phrase) of each sentence that says it. Raises FormatError where none does."""
    numbered = ((sentence, sentence.comment(PHRASE) or "") for sentence in treebank)
    sentences = [(sentence, int(number)) for sentence, number in numbered if number.isdecimal()]
    if not sentences:
        raise FormatError("no sentence of the text says which phrase it is; give a text that was read from a FLEx file")
    return sentences


def _words_of(phrase, sentence, writing):
    """(element, its rows) of each word of a phrase; [] where its text was cut; None if they are not the sentence's."""
    words = [] if phrase is None else [(word, flex_rows(word, writing)) for word in words_in(phrase)]
    count = sum(len(rows) for _, rows in words)
    return words if count in (0, len(sentence)) else None


def _in_order(element: Element) -> Iterator[Element]:
    """An element and all below it, in the order of the file."""
    waiting = [element]
    while waiting:
        yield (one := waiting.pop())
        waiting += reversed(one.children)


def _new_tags(words, values):
    """Yield (element, tag) of the words that have another tag now; marks written onto a word have no place for one."""
    at = 0
    for word, rows in words:
        for _, tag, _ in rows:
            value, at = values[at], at + 1
            if tag != MARK and value and value != tag and any(is_word(form) for form, *_ in rows):
                yield word, value


def _tag_edit(word, value, language, places):
    """The edit that makes a tag the ``pos`` of a word."""
    for item in word.findall("item"):
        if item.get("type") == "pos" and item.get("lang", "und") == language:
            return replaced_text(places[item], escaped(value))
    return _item(word, "pos", language, value, places)


def _tree_edit(phrase, sentence: Sentence, language, places):
    """The edits, one or none, that make the heads of a sentence a note of its phrase."""
    heads, labels = sentence.heads.tolist()[1:], sentence.deprels[1:]
    arcs = (f"{head if head >= 0 else '_'}:{label or '_'}" for head, label in zip(heads, labels, strict=True))
    text = TREE + " ".join(arcs) if max(heads) >= 0 else ""
    for item in phrase.findall("item"):
        if item.get("type") == "note" and (item.text or "").strip().startswith(TREE.strip()):
            return [replaced_text(places[item], escaped(text))] if (item.text or "") != text else []
    return [_item(phrase, "note", language, text, places)] if text else []


def _item(parent, kind, language, text, places):
    """The edit that adds an item behind the last one of an element, or as its first child."""
    place, content = places[parent], f'<item type="{kind}" lang="{escaped(language)}">{escaped(text)}</item>'
    if kind == "note" or place.inside == place.end:
        return appended_text(place, content)
    at = max((places[item].end for item in parent.findall("item")), default=place.inside)
    return at, at, content
