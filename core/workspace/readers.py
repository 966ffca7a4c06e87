"""What tags, and what parses, text that somebody pastes: the English models that come along, or a spaCy pipeline."""

from importlib.metadata import entry_points

from core.parsers import English

ENGLISH, WORD_LISTS, NOTHING = "english", "lists", "nothing"
SPACY = "spacy:"  # before the name of an installed pipeline


def reader_names():
    """All readers to choose from: those that come along, then the installed spaCy pipelines."""
    installed = {entry.name for entry in entry_points(group="spacy_models")}  # without spaCy, which takes seconds
    return [ENGLISH, WORD_LISTS, NOTHING, *(f"{SPACY}{name}" for name in sorted(installed))]


def reader_title(reader):
    """What a reader is called in a sentence, as in "trees by the English parser"."""
    return f"the spaCy pipeline {reader.removeprefix(SPACY)}" if reader.startswith(SPACY) else "the English parser"


def draws_trees(reader):
    """Whether a reader, or None, parses."""
    return reader is not None and (reader == ENGLISH or reader.startswith(SPACY))


def load_reader(reader):
    """An object with ``tag(treebank)`` and ``parse(treebank)``: English or SpacyPipeline. Raises WorkbenchError."""
    if not reader.startswith(SPACY):
        return English.load()
    from core.workspace.spacy_pipeline import SpacyPipeline  # which takes seconds to import

    return SpacyPipeline.load(reader.removeprefix(SPACY))
