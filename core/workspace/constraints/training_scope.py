"""Which sentences of a text a training is of, in words that stand beside its figures."""

from dataclasses import replace

from core.workspace.constraints.inputs import ConstraintInputs
from core.workspace.constraints.learner import LearningSystem
from core.workspace.scope import Scope, scope


def text_scope(system: LearningSystem, text: ConstraintInputs) -> Scope:
    """The Scope of a text: of the sentences of its corpus that have tags, those that are short enough."""
    tags = text.settings.tags
    usable = system.sentences(text.corpus, tags)
    chosen = scope(usable, text.treebank, text.settings.max_length)
    return replace(chosen, noun="tagged sentence") if system.untagged_sentences(text.corpus, tags) else chosen


def tagged_share(system: LearningSystem, text: ConstraintInputs) -> str:
    """How many sentences have tags and can teach, in words; "" where all have."""
    untagged = system.untagged_sentences(text.corpus, text.settings.tags)
    if not untagged:
        return ""
    count = len(system.workspace.treebank(text.corpus))
    having = "have a tag on every word" if text.has_no_punctuation else "have tags"
    return f"{count - untagged:,} of {count:,} sentences {having}; training leaves the others out"
