"""Trees written into the ELAN file that their text was read from: tiers are added or their values replaced, no more.

What stands in the file already keeps its bytes; ``xml_places`` splices. A word is an annotation of a tier of words, and
each column a tier associated with it, as ``elan_layers`` reads them.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from core.errors import FormatError, quoted
from core.treebank.eaf import ASSOCIATION, SUBDIVISION, EafDocument, Tier, TierAnnotation
from core.treebank.elan import ANNOTATION, TIER
from core.treebank.elan_layers import EMPTY, WRITTEN, Layer, layers_of, letters, own_name
from core.treebank.sentence import Sentence
from core.treebank.treebank import Treebank
from core.treebank.xml_places import Element, appended_text, escaped, replaced_text

STATES = {
    SUBDIVISION: ("dependency-words", "Symbolic subdivision of a parent annotation. Annotations refering to the same "
                  "parent are ordered"),
    ASSOCIATION: ("dependency-column", "1-1 association with a parent annotation"),
}  # fmt: skip
BEFORE_TYPES = ("TIER", "TIME_ORDER", "HEADER")
BEFORE_CONSTRAINTS = ("CONSTRAINT", "LANGUAGE", "LOCALE", "LINGUISTIC_TYPE", *BEFORE_TYPES)
BLANKS = re.compile(rb"\s*\Z")


def written_into_elan(data: bytes, treebank: Treebank, path: str | Path | None = None) -> tuple[bytes, list[str]]:
    """The bytes of an ELAN file with the words and trees of a text that was read from it, and notes on what is not.

    Parameters
    ----------
    data : bytes
        The file; ``path`` is its name for errors.
    treebank : Treebank
        Its comments name tier and annotation of each sentence, as ``read_elan`` leaves them.

    Returns
    -------
    (bytes, list of str)
        A tier of words is added where there is none. Lemmas, tags, features, heads and relations get tiers where they
        are not in the file already. Tiers of an earlier writing keep their annotations, with new values. All other
        bytes stay. O(bytes).

    Raises
    ------
    FormatError : no ELAN file; not the one that the text was read from; an annotation with other words in its tier
        of words than in the text.
    """
    document = EafDocument.of(data, path)
    document.xml.require_same(data)
    by_tier: dict[str, dict[str, Sentence]] = {}
    for sentence in treebank:
        tier, annotation = sentence.comment(TIER), sentence.comment(ANNOTATION)
        if tier and annotation:
            by_tier.setdefault(tier, {})[annotation] = sentence
    if not by_tier:
        message = "no sentence of the text says which annotation it is of; give a text that was read from an ELAN file"
        raise FormatError(message)
    names = {" ".join(name.split()): name for name in document.tiers}
    layers = layers_of(document, [names.get(name, name) for name in by_tier])
    writer = _Writer(document)
    pairs = list(zip(layers, by_tier.values(), strict=True))
    writer.check_same(pairs)
    for layer, sentences in pairs:
        writer.write(layer, sentences)
    return document.xml.spliced(writer.edits_of_all()), writer.notes()


class _Writer:
    """Gathers the edits of one file."""

    def __init__(self, document):
        self.document, self.path = document, document.xml.path
        self.last = document.last_number
        self.edits: list[tuple[int, int, str]] = []
        self.tiers: list[str] = []  # new ones
        self.needed: dict[str, str] = {}  # stereotype -> the linguistic type of ours that has it
        self.untimed = self.unlike = self.missing = 0
        root = document.xml.root
        self.after = _last_of(root, *BEFORE_TYPES)
        self.lead = self._blanks_before(self.after)
        self.newline = "\r\n" if "\r\n" in self.lead else "\n" if "\n" in self.lead else ""
        self.step = self.lead.rpartition("\n")[2] if self.newline else ""

    def _blanks_before(self, element):
        """The blanks before an element, which is not the first of all."""
        found = BLANKS.search(self.document.xml.body[max(0, element.start - 200) : element.start])
        return found.group().decode() if found else ""

    def check_same(self, pairs):
        """Raise FormatError where most sentences are of no annotation, or of one that says something else."""
        count = other = 0
        for layer, sentences in pairs:
            known = {utterance.id: utterance for utterance in layer.text.annotations}
            for name, sentence in sentences.items():
                said = known.get(name)
                texts = () if said is None else (said.text, "".join(word.text for word in layer.words_of(said)))
                own = {letters(sentence.text), letters("".join(sentence.forms[1:]))}
                count, other = count + 1, other + own.isdisjoint(map(letters, texts))
                self.missing += said is None
        if 2 * other > count:
            message = f"{other:,} of {count:,} sentences are not what its annotations say; give the file that the text"
            raise FormatError(f"{message} was read from", path=self.path)

    def write(self, layer: Layer, sentences: dict[str, Sentence]) -> None:
        """The edits of one speaker's tiers."""
        rows, new = [], []
        for utterance in layer.text.annotations:
            sentence = sentences.get(utterance.id)
            if sentence is not None:
                rows += self._words(layer, utterance, sentence, new)
        if layer.words is None:
            self._add_tier("words", SUBDIVISION, layer.text, layer.text.id, new)
            words = own_name("words", layer.text)
        else:
            self._append(layer.words, new)
            words = layer.words.id
        for column in WRITTEN:
            self._column(layer, column, words, [(name, word, values[column]) for name, word, values in rows])

    def _words(self, layer, utterance, sentence, new) -> Iterator[tuple[str, TierAnnotation | None, dict[str, str]]]:
        """(id, annotation if there is one, value by column) of each word of a sentence; ``new`` gets the new ones."""
        words = layer.words_of(utterance)
        if words and len(words) != len(sentence):
            message = f"the annotation {quoted(utterance.id)} has {len(words)} words in the tier"
            message += f" {quoted(layer.words.id)} and {len(sentence)} in the text; split or merge them in ELAN too"
            raise FormatError(message, path=self.path, line=utterance.value.line)
        if not words and layer.words is not None and layer.words.constraint != SUBDIVISION:
            self.untimed += 1
            return
        columns = _columns(sentence)
        previous = ""
        for number, form in enumerate(sentence.forms[1:]):
            values = {column: cells[number] for column, cells in columns.items()}
            if words:
                self._form(layer, words[number], form)
                yield words[number].id, words[number], values
                continue
            name = self._next()
            new.append((name, utterance.id, previous, form))
            previous = name
            yield name, None, values

    def _form(self, layer, word, form):
        """Replace the form of a word, in a tier of ours alone."""
        if form == (word.text or "_"):
            return
        if layer.words.id == own_name("words", layer.text):
            self.edits.append(replaced_text(word.value, escaped(form)))
        else:
            self.unlike += 1

    def _column(self, layer, column, words, rows):
        """Write (id, annotation, value) of each word into the tier of a column."""
        own, new = layer.own.get(column), []
        if own is None:
            self._new_column(layer, column, words, rows)
            return
        for name, _, value in rows:
            there = next(iter(own.below.get(name, [])), None)
            if there is None:
                new += [(self._next(), name, "", value)] if value else []
            elif value != (there.text if there.text != EMPTY else ""):
                self.edits.append(replaced_text(there.value, escaped(value or EMPTY)))
        self._append(own, new)

    def _new_column(self, layer, column, words, rows):
        """A tier of ours, unless the file's own say the same."""
        had = ["" if word is None else "_".join(layer.value(column, word).split()) for _, word, _ in rows]
        if had != [value for *_, value in rows]:
            cells = [value or (text and EMPTY) for (*_, value), text in zip(rows, had, strict=True)]
            new = [(self._next(), row[0], "", cell) for row, cell in zip(rows, cells, strict=True) if cell]
            self._add_tier(column, ASSOCIATION, layer.text, words, new)

    def _next(self):
        self.last += 1
        return f"a{self.last}"

    def _append(self, tier: Tier, new):
        if new:
            self.edits.append(appended_text(tier.element, "".join(self._annotation(*each) for each in new)))

    def _add_tier(self, column, stereotype, text, above, new):
        """A new tier of ours below another, with (id, parent, previous, text) annotations, if there are any."""
        name = own_name(column, text)
        if not new:
            return
        if name in self.document.tiers:
            message = f"there is a tier {quoted(name)}, which is not what the workbench would write; rename it in ELAN"
            raise FormatError(message, path=self.path, line=self.document.tiers[name].element.line)
        attributes = {
            key: text.element.attributes[key]
            for key in ("DEFAULT_LOCALE", "PARTICIPANT")
            if key in text.element.attributes
        }
        attributes |= {
            "LINGUISTIC_TYPE_REF": self._type(stereotype), "PARENT_REF": above, "TIER_ID": name,
        }  # fmt: skip
        inside = "".join(self._annotation(*each) for each in new)
        self.tiers.append(f"{self.lead}<TIER{_attributes(attributes)}>{inside}{self.newline}{self.step}</TIER>")

    def _annotation(self, name, parent, previous, text):
        attributes = {"ANNOTATION_ID": name, "ANNOTATION_REF": parent}
        attributes |= {"PREVIOUS_ANNOTATION": previous} if previous else {}
        lines = (
            (2, "<ANNOTATION>"),
            (3, f"<REF_ANNOTATION{_attributes(attributes)}>"),
            (4, f"<ANNOTATION_VALUE>{escaped(text)}</ANNOTATION_VALUE>"),
            (3, "</REF_ANNOTATION>"),
            (2, "</ANNOTATION>"),
        )
        return "".join(f"{self.newline}{self.step * depth}{line}" for depth, line in lines)

    def _type(self, stereotype):
        """The name of the linguistic type of ours of a stereotype, which is added if it is not there."""
        if stereotype not in self.needed:
            types = {
                each.attributes.get("LINGUISTIC_TYPE_ID"): each.attributes.get("CONSTRAINTS")
                for each in self.document.xml.root.all("LINGUISTIC_TYPE")
            }
            name = STATES[stereotype][0]
            while name in types and types[name] != stereotype:
                name += "-"
            self.needed[stereotype] = name
            if name not in types:
                self._add_type(stereotype, name)
        return self.needed[stereotype]

    def _add_type(self, stereotype, name):
        root = self.document.xml.root
        attributes = {
            "CONSTRAINTS": stereotype, "GRAPHIC_REFERENCES": "false", "LINGUISTIC_TYPE_ID": name,
            "TIME_ALIGNABLE": "false",
        }  # fmt: skip
        last = _last_of(root, "LINGUISTIC_TYPE", *BEFORE_TYPES)
        self.edits.append((last.end, last.end, f"{self.lead}<LINGUISTIC_TYPE{_attributes(attributes)}/>"))
        if stereotype not in {each.attributes.get("STEREOTYPE") for each in root.all("CONSTRAINT")}:
            attributes = {"DESCRIPTION": STATES[stereotype][1], "STEREOTYPE": stereotype}
            last = _last_of(root, *BEFORE_CONSTRAINTS)
            self.edits.append((last.end, last.end, f"{self.lead}<CONSTRAINT{_attributes(attributes)}/>"))

    def edits_of_all(self):
        """All edits: the new tiers stand behind the last one, before new types where there is none."""
        edits = [(self.after.end, self.after.end, tier) for tier in self.tiers] + self.edits
        used = self.document.last_used
        if used is not None and self.last > self.document.last_number:
            edits.append(replaced_text(used, str(self.last)))
        return edits

    def notes(self):
        """What was not written."""
        notes = []
        if self.missing:
            notes.append(f"{self.missing:,} sentences are of annotations that are not in the file, and are left out")
        if self.untimed:
            left = "and are left out"
            notes.append(f"{self.untimed:,} annotations have no words in a tier that aligns words with time, {left}")
        if self.unlike:
            notes.append(
                f"{self.unlike:,} words are written in another way in the file's own tier, which stays as it is"
            )
        return notes


def _columns(sentence: Sentence) -> dict[str, list[str]]:
    """The cells of a sentence's words by ``WRITTEN``, "" where there is nothing."""
    heads = [str(head) if head >= 0 else "" for head in sentence.heads.tolist()[1:]]
    texts = (sentence.lemmas, sentence.upos, sentence.xpos, sentence.feats)
    cells = [*(["_".join(cell.split()) for cell in column[1:]] for column in texts), heads, list(sentence.deprels[1:])]
    return dict(zip(WRITTEN, cells, strict=True))


def _last_of(root: Element, *tags: str) -> Element:
    """The last element right below the root of the first of these names that it has."""
    found = ([*root.all(tag)] for tag in tags)
    return next(elements[-1] for elements in found if elements)


def _attributes(attributes):
    return "".join(f' {name}="{escaped(value)}"' for name, value in attributes.items())
