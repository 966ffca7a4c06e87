"""How many contractions are cut as in Universal Dependencies.

    python -m tests.languages.contraction_scores

reads the texts of treebanks in ``shared/data`` beside the checkout as plain text, one sentence a line, cuts them by the
table that ships, and by one read off the other half of the same treebank; then the texts of ``contracted_texts``. A
multiword token is right where its characters and its parts, capitals aside, are those of the treebank. Prints how many
the treebank has, how many were cut, how many of both are the same, and their F1.
"""

from typing import NamedTuple

import numpy as np

from core.annotation.sentence_block import sentence_block
from core.treebank import Treebank, conllu_text, read_conllu
from core.treebank.multiword import multiword_tokens, table_of_contractions
from core.treebank.plain import read_text
from tests.conftest import SHARED
from tests.languages.contracted_texts import TEXTS, counted, written

TREEBANKS = (("es", "ud/es_gsd-test"), ("de", "ud/de_gsd-test"), ("pt", "ud-pool/pt_pud"))


class Score(NamedTuple):
    """Multiword tokens of the treebank, those that were cut, and how many are the same."""

    gold: int
    cut: int
    same: int

    @property
    def f1(self) -> float:
        """Of 100."""
        return 200 * self.same / (self.gold + self.cut)


def tokens(treebank: Treebank) -> set[tuple[int, str]]:
    """(characters but spaces before it, parts in small letters) of each multiword token."""
    first, last, forms = multiword_tokens(treebank)
    words = treebank.form.strings()
    widths = np.array([len("".join(word.split())) for word in words.tolist()]) * treebank.is_word
    for begin, end, form in zip(first.tolist(), last.tolist(), forms, strict=True):
        widths[begin : end + 1] = 0
        widths[begin] = len("".join(form.split()))
    before = np.cumsum(widths) - widths
    spans = zip(first.tolist(), last.tolist(), strict=True)
    return {(int(before[begin]), " ".join(words[begin : end + 1]).lower()) for begin, end in spans}


def plain_lines(treebank: Treebank) -> bytes:
    """The sentences as they are written, one a line."""
    blocks = conllu_text(treebank).strip().split("\n\n")
    return "\n".join(sentence_block(block + "\n\n").surface() for block in blocks).encode()


def score(gold: set, cut: set) -> Score:
    return Score(len(gold), len(cut), len(gold & cut))


def treebank_score(gold: Treebank, language: str, table: str | None = None) -> Score:
    """The Score on a treebank's text, by a table or by the one that ships."""
    tables = {} if table is None else table
    text = read_text(plain_lines(gold), language=language, split="lines", join_hyphens=False, contractions=tables)
    return score(tokens(gold), tokens(text))


def each_half(gold: Treebank, language: str) -> list[Score]:
    """The Scores on each half by the table that ships."""
    return [treebank_score(gold.select(half), language) for half in np.array_split(np.arange(len(gold)), 2)]


def half_scores(gold: Treebank, language: str) -> list[Score]:
    """The Scores on each half by a table read off the other."""
    halves = np.array_split(np.arange(len(gold)), 2)
    pairs = (halves, halves[::-1])
    return [
        treebank_score(gold.select(half), language, table_of_contractions(gold.select(other)))
        for half, other in zip(*pairs, strict=True)
    ]


def own_score(language: str) -> Score:
    """The Score on our own text of a language."""
    text = read_text(written(TEXTS[language]).encode(), language=language)
    return score(counted(TEXTS[language]), tokens(text))


def main() -> None:
    rows = []
    for language, name in TREEBANKS:
        gold = read_conllu(SHARED / f"{name}.conllu")
        rows.append((name, treebank_score(gold, language)))
        rows += [(f"{name}, half", each) for each in each_half(gold, language)]
        rows += [(f"{name}, half by the other", each) for each in half_scores(gold, language)]
    rows += [(f"own text, {language}", own_score(language)) for language in TEXTS]
    for name, each in rows:
        print(f"{name:34} gold {each.gold:5} cut {each.cut:5} same {each.same:5} F1 {each.f1:6.2f}")


if __name__ == "__main__":
    main()
