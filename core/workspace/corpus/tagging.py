"""The tagging step of a text that came without tags, kept with the project: her lexicon and the lists she builds on.

A tagger's tags are the result of a run, which the step names; her own lines correct them.
"""

import zlib
from dataclasses import dataclass, field, replace

from core.errors import FormatError
from core.store import Command
from core.treebank import read_conllu
from core.treebank.tagging import (
    apply_lexicon,
    correct_tags,
    coverage,
    format_lexicon,
    load_closed_classes,
    parse_lexicon,
    untagged_types,
)
from core.workspace.readers import tagged_text, tagger_title

KIND = "tagging"
TAGS = "tags"  # kind of the runs whose results are texts with a tagger's tags, CoNLL-U that zlib packs
CLOSED = {"english": "English closed classes", "english-suffixes": "English suffixes"}
SHOWN = 200  # untagged types listed


@dataclass(frozen=True)
class Tagging:
    """Lexicon lines as they were typed, and the lists asked after them.

    ``reader`` names the reader that tagged the text, "" where none did, and ``run`` the run with its tags.
    """

    text: str = ""
    lists: tuple = field(default=())
    reader: str = ""
    run: int | None = None

    @classmethod
    def from_dict(cls, value):
        """What ``as_dict`` gave."""
        return cls(**value | {"lists": tuple(value["lists"])})

    def as_dict(self):
        """JSON values."""
        by = {"reader": self.reader, "run": self.run} if self.reader else {}
        return {"text": self.text, "lists": list(self.lists)} | by

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
        """The treebank with a tag for every word; lines that cannot be read are passed over.

        Where a tagger has tagged it, ``treebank`` has its tags, and only the lines as they were typed change some.
        """
        if self.reader:
            return correct_tags(treebank, Tagging(self.text).lexicon_or_rest()[0])
        return apply_lexicon(treebank, self.lexicon_or_rest()[0])

    def with_word(self, form, tag):
        """One more line: ``form`` has ``tag``."""
        line = format_lexicon(parse_lexicon("").with_entry(form, tag))
        text = self.text if not self.text or self.text.endswith("\n") else self.text + "\n"
        return replace(self, text=text + line)

    def coverage(self, treebank):
        """The Coverage of a treebank's words."""
        return coverage(treebank, self.lexicon_or_rest()[0])


def is_untagged(treebank):
    """Whether no word has a tag."""
    return not (treebank.upos.filled or treebank.xpos.filled)


def saved_tagging(store, corpus):
    """The Tagging kept with a corpus, or None."""
    value = store.document(corpus.project, KIND, str(corpus.id))
    return None if value is None else Tagging.from_dict(value)


def save_tagging(store, corpus, tagging, label):
    """Keep a Tagging with its corpus; can be undone."""
    before = store.document(corpus.project, KIND, str(corpus.id))
    store.execute(corpus.project, Command(KIND, str(corpus.id), before, tagging.as_dict()), label=label)


def tag_by(workspace, corpus, reader, progress=None):
    """Tag all words of a corpus by a reader, in one step that can be undone; her own lines stay, and correct it.

    ``progress`` is as in ``readers.tagged_text``. Raises WorkbenchError where the reader fails.
    """
    store, source = workspace.store, workspace.source(corpus)
    data = zlib.compress(tagged_text(source.to_conllu(), reader, progress))
    run = store.create_run(corpus.project, TAGS, {"corpus": corpus.id, "reader": reader}, data_hash=source.content_hash)
    store.start_run(run)
    store.finish_run(run, "done", {"sentences": len(source), "words": source.token_count}, data)
    tagging = replace(saved_tagging(store, corpus) or Tagging(), reader=reader, run=run)
    save_tagging(store, corpus, tagging, f"tagging with {tagger_title(reader)}")


def without_tagger(tagging):
    """A Tagging by its lines and lists only."""
    return replace(tagging, reader="", run=None)


def tagged_source(store, tagging, source):
    """The text that a tagging step, its document or None, starts from: ``source``, or what a run made of it."""
    run = None if tagging is None else tagging.get("run")
    return source if run is None else read_conllu(zlib.decompress(store.result_bytes(run)), name=source.name)


def untagged_table(treebank, tagging):
    """Columns of a table over the words without a tag, most frequent first."""
    types = untagged_types(treebank, tagging.lexicon_or_rest()[0], SHOWN)
    return {
        "form": [each.form for each in types],
        "count": [each.count for each in types],
        "coverage": [each.coverage for each in types],
    }
