"""How other text is tagged as a text of a project is: for what is typed beside it, and what a saved pipeline reads."""

from core.parsers.dmv.symbols import tagged_throughout
from core.parsers.english import English
from core.parsers.readers import CONSISTENT, ENGLISH
from core.parsers.tagger.tagger import Tagger
from core.parsers.text_tagging import COLUMNS, TextTagging
from core.store import Corpus
from core.treebank import Treebank
from core.treebank.tagging import format_lexicon
from core.workspace.corpora import language_of
from core.workspace.word_tags import LEARNT, Tagging, saved_tagging
from core.workspace.workspace import Workspace


def text_tagging(workspace: Workspace, corpus: Corpus) -> TextTagging:
    """How to tag other text as a Corpus is tagged: by its word list or reader, or as its own tags teach. Seconds."""
    text, source = workspace.treebank(corpus), workspace.source(corpus)
    tagging = _repeatable(saved_tagging(workspace.store, corpus))
    if tagging is not None and tagging.reader:
        return TextTagging(tagging.reader, format_lexicon(Tagging(tagging.text).lexicon_or_rest()[0]))
    if source.upos.filled and tagged_throughout(source, "upos").all():  # so that a list tags none of its words
        tagging = None
    if tagging is None and language_of(corpus) == "en" and _has_tags_of(English.load(), text):
        return TextTagging(ENGLISH)
    words = untagged = None
    if tagging is not None:
        words = format_lexicon(tagging.lexicon_or_rest()[0])
        untagged = _words_of(source) if tagging.other == LEARNT else None
    learnable = [name for name in COLUMNS if getattr(text, name).filled and tagged_throughout(text, name).any()]
    taught = [name for name in learnable if name != "upos" or words is None]
    return TextTagging("", words, untagged, {name: Tagger().fit(text, tags=name) for name in taught})


def _repeatable(tagging):
    """A Tagging as other text can have it: none where a run found the tags of this text, which then teach."""
    return None if tagging is not None and tagging.reader == CONSISTENT else tagging


def _has_tags_of(english, text):
    """Whether each column with tags has only such as the English taggers give."""
    columns = ((getattr(text, name), set(getattr(english, name).tags)) for name in COLUMNS)
    used = [(set(column.strings()) - {""}, tags) for column, tags in columns if column.filled]
    return bool(used) and all(found <= tags for found, tags in used)


def _words_of(text):
    """The forms of a text with the universal tags of its file."""
    return Treebank.from_sentences(
        {"forms": list(sentence.forms[1:]), "upos": list(sentence.upos[1:])} for sentence in text
    )
