"""A text cut into words once more, because it is in another language than was thought."""

from core.languages import language_name
from core.store import Corpus, Store
from core.treebank import Treebank
from core.treebank.language import text_language
from core.treebank.plain import plain_text
from core.workspace.contractions import changed_tables
from core.workspace.corpora import language_of
from core.workspace.corpus.drafts import add_draft, read_draft


def is_cut_otherwise(corpus: Corpus, source: Treebank) -> bool:
    """Whether a text without trees was cut as another language than a Corpus is now said to be in."""
    return not (source.heads[source.is_word] >= 0).any() and text_language(source).answer != language_of(corpus)


def cut_anew(store: Store, corpus: Corpus, source: Treebank) -> int:
    """Add what a text says once more, cut by the rules of its language; returns the id of the new text.

    The text stays, with all that hangs on its words; the new one has neither tags nor trees.
    Raises WorkbenchError where it cannot be cut.
    """
    text, format = plain_text(source)
    language = language_of(corpus)
    project = store.project(corpus.project)
    how = {"join_hyphens": False, "language": language, "contractions": changed_tables(store, project)}
    draft = read_draft(corpus.name, text.encode(), format, **how)
    return add_draft(store, project, draft, f"{corpus.name}, cut as {language_name(language)}")
