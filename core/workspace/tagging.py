"""The tagging step of a text that came without tags: her lexicon and the lists she builds on, kept with the project."""

from dataclasses import asdict, dataclass, field

from core.errors import FormatError
from core.store import Command
from core.treebank.tagging import (
    apply_lexicon,
    coverage,
    format_lexicon,
    load_closed_classes,
    parse_lexicon,
    untagged_types,
)

KIND = "tagging"
CLOSED = {"english": "English closed classes", "english-suffixes": "English suffixes"}
SHOWN = 200  # untagged types listed


@dataclass(frozen=True)
class Tagging:
    """Lexicon lines as they were typed, and the lists asked after them."""

    text: str = ""
    lists: tuple = field(default=())

    def lexicon(self):
        """The Lexicon of it all. Raises FormatError, with its line, for a line that cannot be read."""
        lexicon = parse_lexicon(self.text)
        for name in self.lists:
            lexicon = lexicon.over(load_closed_classes(name))
        return lexicon

    def lexicon_or_rest(self):
        """(Lexicon of the lines that can be read, FormatError of the first that cannot, or None)."""
        try:
            return self.lexicon(), None
        except FormatError as error:
            lines = self.text.split("\n")
            kept = "\n".join("" if number == error.line else line for number, line in enumerate(lines, 1))
            return Tagging(kept, self.lists).lexicon_or_rest()[0], error

    def apply(self, treebank):
        """The treebank with a tag for every word; lines that cannot be read are passed over."""
        return apply_lexicon(treebank, self.lexicon_or_rest()[0])

    def with_word(self, form, tag):
        """One more line: ``form`` has ``tag``."""
        line = format_lexicon(parse_lexicon("").with_entry(form, tag))
        text = self.text if not self.text or self.text.endswith("\n") else self.text + "\n"
        return Tagging(text + line, self.lists)

    def coverage(self, treebank):
        """The Coverage of a treebank's words."""
        return coverage(treebank, self.lexicon_or_rest()[0])


def is_untagged(treebank):
    """Whether no word has a tag."""
    return not (treebank.upos.filled or treebank.xpos.filled)


def saved_tagging(store, corpus):
    """The Tagging kept with a corpus, or None."""
    value = store.document(corpus.project, KIND, str(corpus.id))
    return None if value is None else Tagging(value["text"], tuple(value["lists"]))


def save_tagging(store, corpus, tagging, label):
    """Keep a Tagging with its corpus; can be undone."""
    before = store.document(corpus.project, KIND, str(corpus.id))
    store.execute(corpus.project, Command(KIND, str(corpus.id), before, asdict(tagging)), label=label)


def untagged_table(treebank, tagging):
    """Columns of a table over the words without a tag, most frequent first."""
    types = untagged_types(treebank, tagging.lexicon_or_rest()[0], SHOWN)
    return {
        "form": [each.form for each in types],
        "count": [each.count for each in types],
        "coverage": [each.coverage for each in types],
    }
