"""What is wrong where a tree breaks a rule, in words."""

from collections.abc import Iterator

from core.languages.direction import bidi_isolate
from core.rules.checking import Breach, RuleTree
from core.rules.rule import HeadRule


def wrong_words(breach: Breach, tree: RuleTree) -> Iterator[tuple[int, str]]:
    """(word, what is wrong there) of a breach: the dependents that should not be there, else the word itself."""
    rule, word, others = breach.rule, breach.word, breach.others
    if isinstance(rule, HeadRule):
        yield word, f"has the head {named(tree, others[0])}"
    elif len(others) < rule.low:
        wanted = f"at least {rule.low}" if rule.high is None else f"{rule.low}"
        have, what = ", ".join(named(tree, other) for other in others), rule.dependent.dependent
        yield word, f"has {f'{len(others)} {what} ({have})' if others else f'no {what}'}, and should have {wanted}"
    elif not rule.high:
        for other in others:
            what = f"is attached as {tree.relations[other]} to {named(tree, word)}"
            yield other, f"{what}, which is {tree.relations[word]}" if rule.word.relations else what
    else:
        beside = ", ".join(named(tree, other) for other in others[: rule.high])
        for other in others[rule.high :]:
            yield other, f"is {tree.relations[other]} of {named(tree, word)}, beside {beside}"


def named(tree: RuleTree, word: int) -> str:
    """A word's number and form."""
    return f"{word} {bidi_isolate(tree.words.sentence.forms[word])}" if word else "the root"
