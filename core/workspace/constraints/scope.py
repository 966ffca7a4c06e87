"""Which sentences of a text training looks at, in words."""

from dataclasses import replace

from core.workspace.constraints.system import Constraints
from core.workspace.constraints.text import Text
from core.workspace.corpora import tagged_sentences
from core.workspace.scope import Scope, scope


def text_scope(system: Constraints, text: Text) -> Scope:
    """The Scope of a Text: of the sentences of its corpus that have tags, those that are short enough."""
    whole, tags = system.workspace.treebank(text.corpus), text.settings.tags
    if not system.untagged_sentences(text.corpus, tags):
        return scope(whole, text.treebank, text.settings.max_length)
    found = scope(tagged_sentences(whole, tags), text.treebank, text.settings.max_length)
    return replace(found, noun="tagged sentence")


def tagged_share(system: Constraints, text: Text) -> str:
    """How many sentences have tags and can teach, in words; "" where all have."""
    untagged = system.untagged_sentences(text.corpus, text.settings.tags)
    if not untagged:
        return ""
    count = len(system.workspace.treebank(text.corpus))
    return f"{count - untagged:,} of {count:,} sentences have tags; training leaves the others out"
