"""Which sentences of a text training looks at, in words."""

from dataclasses import replace

from core.workspace.constraints.learner import Learner
from core.workspace.constraints.text import Text
from core.workspace.scope import Scope, scope


def text_scope(system: Learner, text: Text) -> Scope:
    """The Scope of a Text: of the sentences of its corpus that have tags, those that are short enough."""
    tags = text.settings.tags
    usable = system.sentences(text.corpus, tags)
    found = scope(usable, text.treebank, text.settings.max_length)
    return replace(found, noun="tagged sentence") if system.untagged_sentences(text.corpus, tags) else found


def tagged_share(system: Learner, text: Text) -> str:
    """How many sentences have tags and can teach, in words; "" where all have."""
    untagged = system.untagged_sentences(text.corpus, text.settings.tags)
    if not untagged:
        return ""
    count = len(system.workspace.treebank(text.corpus))
    having = "have a tag on every word" if text.is_bare else "have tags"
    return f"{count - untagged:,} of {count:,} sentences {having}; training leaves the others out"
