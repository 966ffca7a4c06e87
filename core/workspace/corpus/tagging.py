"""A text that came without tags on the Corpus page: a reader tags it, and words without a tag are listed."""

import zlib
from dataclasses import replace

from core.callbacks import Progress
from core.files.tables import columns_of
from core.languages import UNKNOWN
from core.parsers.dictionary.worth import words_worth_tagging
from core.parsers.readers import tagged_text, tagger_title
from core.store import Corpus
from core.treebank import Treebank
from core.treebank.tagging import lists_of_language, untagged_types
from core.workspace.corpora import language_of
from core.workspace.word_tags import LEARNT, TAGGED, Tagging, save_tagging, saved_tagging
from core.workspace.workspace import Workspace

CLOSED = {
    "english": "English closed classes",
    "english-suffixes": "English suffixes",
    "spanish": "Spanish closed classes",
}
SHOWN = 200  # untagged types listed


def is_untagged(treebank: Treebank) -> bool:
    """Whether no word has a tag."""
    return not (treebank.upos.filled or treebank.xpos.filled)


def offered_lists(corpus: Corpus, tagging: Tagging) -> dict[str, str]:
    """Name -> title of the lists to start from: those of the text's language, and those that were chosen.

    Where the language is not known all lists are offered.
    """
    language = language_of(corpus)
    suitable = list(CLOSED) if language == UNKNOWN else lists_of_language(language)
    return {name: title for name, title in CLOSED.items() if name in (*suitable, *tagging.lists)}


def tag_by(workspace: Workspace, corpus: Corpus, reader: str, progress: Progress | None = None) -> None:
    """Tag all words of a corpus by a reader, in one step that can be undone; her own lines stay, and correct it.

    ``progress`` is as in ``readers.tagged_text``. Raises WorkbenchError where the reader fails.
    """
    store, source = workspace.store, workspace.source(corpus)
    data = zlib.compress(tagged_text(source.to_conllu(), reader, progress))
    run = store.create_run(
        corpus.project, TAGGED, {"corpus": corpus.id, "reader": reader}, data_hash=source.content_hash
    )
    store.start_run(run)
    store.finish_run(run, "done", {"sentences": len(source), "words": source.token_count}, data)
    tagging = replace(saved_tagging(store, corpus) or Tagging(), reader=reader, run=run)
    save_tagging(store, corpus, tagging, f"tagging with {tagger_title(reader)}")


def without_tagger(tagging: Tagging) -> Tagging:
    """A Tagging by its lines and lists only."""
    return replace(tagging, reader="", run=None)


def untagged_table(treebank: Treebank, tagging: Tagging) -> dict[str, list]:
    """Columns of a table over the words without a tag, those first whose tags settle most words.

    They are a form, its count, how many words its tag is expected to settle, and the tag that is learnt for it for now.
    The last is "" where none is learnt. ``treebank`` is the text as its file has it. Raises WorkbenchError where
    tags are to be learnt from a list with a tag of no known tag set.
    """
    lexicon = tagging.lexicon_or_rest()[0]
    if tagging.other == LEARNT:
        worth = words_worth_tagging(treebank, lexicon, SHOWN)
        rows = [(entry.form, entry.count, entry.settles, entry.likeliest) for entry in worth]
    else:
        rows = [(entry.form, entry.count, float(entry.count), "") for entry in untagged_types(treebank, lexicon, SHOWN)]
    return columns_of(("form", "count", "settles", "likeliest"), rows)
