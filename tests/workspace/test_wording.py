"""Constraints as questions: true in every script, singular and plural right."""

import re

import pytest

from core.constraints import parse_constraints
from core.workspace.wording import JOINER, escape, question

QUESTIONS = [
    ("DET <- NOUN per modifier", 7524, "Of 7,524 determiners followed by a noun, how many attach to one?"),
    ("DET <- NOUN per modifier", 1, "Of 1 determiner followed by a noun, does it attach to one?"),
    ("NOUN -> ADJ dist 1", 12, "12 nouns directly followed by an adjective: how often is the noun its head?"),
    ("ADJ <- NOUN dist 1", 12, "12 nouns directly preceded by an adjective: how often is the noun its head?"),
    ("ADJ <- NOUN dist 1", 1, "1 noun directly preceded by an adjective: is the noun its head?"),
    ("VERB -- DET per modifier", 3, "Of 3 determiners with a verb before or after them, how many attach to one?"),
    ("VERB -> ADP per head", 3, "Of 3 verbs followed by an adposition, how many are the head of one?"),
    ("ROOT -> VERB per head", 3, "Of 3 sentences with a verb, how many have one as their root?"),
    ("ROOT -> VERB per head", 1, "Of 1 sentence with a verb, does it have one as its root?"),
    ("ROOT -> VERB dist 1..3", 3, "Of 3 verbs in positions 1 to 3, how many are the root of their sentence?"),
    ("{VBD VBZ} <- TO", 3, "3 pairs of a word tagged TO and a word tagged VBD or VBZ before it: "
     "how often is the word tagged TO the head?"),
    ("NOUN -> NOUN between ADP dist 2..4", 3, "3 pairs of a noun and another noun after it, 2 to 4 words away, with an "
     "adposition between them: how often is the earlier the head of the later?"),
    ("form:not -- *", 3, "3 pairs of “not” and a word before or after it: how often is “not” the head?"),
    ("ADJ <-> NOUN dist 1", 3, "3 pairs of an adjective and a noun just after it: how often is one the head of the "
     "other?"),
    ("NOUN <-> NOUN", 1, "1 pair of a noun and another noun after it: is one the head of the other?"),
    ("* <- X dist 1", 2, "2 words tagged X directly preceded by a word: how often is the word tagged X its head?"),
    ("VERB -> ADP between none NOUN after modifier DET", 2, "2 pairs of a verb and an adposition after it, with no "
     "noun between them, with a determiner just after the modifier: how often is the verb the head?"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "count", "asked"), QUESTIONS)
def test_a_constraint_asks_in_the_order_of_the_text(line, count, asked):
    assert question(parse_constraints(f"{line} = 0.5")[0], count) == asked


def test_every_arrow_denominator_and_distance_asks_without_sides():
    for arrow in ("->", "<-", "--"):
        for distance in ("", " dist 1", " dist 2", " dist 2..3", " dist 1..3", " dist >4"):
            for per in ("pair", "modifier", "head"):
                line = f"NOUN {arrow} NOUN{distance} per {per} = 0.5"
                for count in (1, 2):
                    said = question(parse_constraints(line)[0], count)
                    assert not {"left", "right", "edge", "edges"} & set(said.strip("?").replace(",", "").split()), said
                    assert said.startswith((f"Of {count} noun", f"{count} noun", f"{count} pair"))


@pytest.mark.parametrize(
    "name",
    ["https://evil.example/a", "HTTP://evil.example", "see www.evil.example now", "ana@uni.example", "a.b+c@d.example",
     "[click](https://evil.example)", "<https://evil.example>", "mailto:ana@uni.example", "<a href='//evil.example'>"],
)  # fmt: skip
def test_a_name_never_becomes_a_link(name):
    shown = escape(name)
    text = re.sub(r"\\(?=[!-/:-@\[-`{-~])", "", shown)  # as Markdown reads it
    assert text.replace(JOINER, "") == name
    assert not re.search(r"(https?://|www(?=\.))[-.\w]+", text, re.IGNORECASE)  # GitHub's bare addresses
    assert not re.search(r"[-.\w+]+@[-\w]+(\.[-\w]+)+", text)
    assert not re.search(r"(?<!\\)\[|(?<!\\)<[a-zA-Z/]", shown)
