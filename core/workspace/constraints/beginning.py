"""A set to begin with on a text that has none: universal lines, word order by answers, answers by the text's edges."""

from collections.abc import Mapping

from core.constraints.universal import Beginning, lines_to_begin, offered
from core.constraints.word_order import DETERMINER, QUESTIONS, Question, Suggestion, suggest_order
from core.store import Corpus, Store
from core.workspace.constraints.documents import save_text
from core.workspace.constraints.text import Text
from core.workspace.wording import amount

HEADS = {"content": "content words", "function": "function words"}
UNKNOWN = "don’t know"
KINDS = {
    "adposition": "an adposition", "determiner": "a determiner", "auxiliary": "an auxiliary",
    "object": "a verb or auxiliary", "heads-last": "a verb or auxiliary",
}  # fmt: skip
ASKED: tuple[Question, ...] = (*QUESTIONS, DETERMINER)


def heads_offered(text: Text) -> tuple[str, ...]:
    """Which of HEADS there are lines for in the tags of a Text."""
    return offered(text.matcher)


def beginning(text: Text, heads: str, answers: Mapping[str, str]) -> Beginning:
    """The Beginning of a Text; questions answered with UNKNOWN add nothing."""
    known = {name: answer for name, answer in answers.items() if answer != UNKNOWN}
    return lines_to_begin(text.matcher, heads, known if heads == "content" else None)


def begin(store: Store, corpus: Corpus, found: Beginning) -> None:
    """Make a Beginning the set of a corpus. One command, which can be undone."""
    save_text(store, corpus, found.text, "beginning with lines for any language")


def suggestions(text: Text) -> dict[str, Suggestion]:
    """What the edges of a Text's sentences show of each question, by its name; O(words)."""
    return {each.name: each for each in suggest_order(text.treebank, text.settings.tags)}


def suggested_answers(found: Mapping[str, Suggestion]) -> dict[str, str]:
    """The answer to each question of ASKED, UNKNOWN where the edges show nothing."""
    return {question.name: _answer(found.get(question.name)) for question in ASKED}


def _answer(suggestion):
    return UNKNOWN if suggestion is None or suggestion.answer is None else suggestion.answer


def evidence(found: Mapping[str, Suggestion], name: str) -> str:
    """What the edges show of a question, in words with its counts."""
    suggestion = found.get(name)
    if suggestion is None:
        return "the ends of sentences do not show this"
    said = "cannot tell" if suggestion.answer is None else suggestion.answer
    of = amount(suggestion.sentences, "sentence")
    return f"{said}: of {of}, {suggestion.first:,} begin with {KINDS[name]} and {suggestion.last:,} end with one"
