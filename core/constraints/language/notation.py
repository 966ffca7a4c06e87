"""The notation of constraints and rules, piece by piece, for people to look up: pages draw it from here."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Piece:
    """One piece of the notation: how it is written, what it means, and a line that uses it."""

    written: str
    meaning: str
    example: str


NOTATION = {
    "The line": (
        Piece("A -> B", "A is the head, B its modifier; A comes first in the sentence", "VERB -> NOUN = 0.6"),
        Piece("A <- B", "B is the head, A its modifier; A comes first in the sentence", "DET <- NOUN = 0.9"),
        Piece("A -- B", "the first, A, is the head, B its modifier; either may come first", "VERB -- PUNCT = 0.7"),
        Piece("A <-> B", "A and B are connected, either is the head; A comes first", "PROPN <-> PROPN dist 1 = 0.8"),
        Piece(
            "= 0.75", "the target: the share of such pairs that are arcs, from 0 to 1 (per head: to 10)",
            "VBD -> TO = 1.0",
        ),
        Piece("= 0.9..1.0", "a range of shares: anything in it is right", "ADJ <- NOUN = 0.9..1.0"),
        Piece("# text", "a comment, at the start of the line or after a space", "AUX <- VERB = 0.7  # will go"),
    ),
    "Words": (
        Piece("NOUN", "a tag of the column that Settings names", "ADJ <- NOUN = 0.8"),
        Piece("upos: xpos:", "a tag of the other column", "xpos:MD <- upos:VERB = 0.9"),
        Piece("form: lemma:", "a word form, a lemma", "form:not -- * = 0.0"),
        Piece("feats:", "a feature, or several joined by |", "feats:Case=Gen <- NOUN = 0.8"),
        Piece('"…"', "quotes around anything but letters, digits and _ $ . -", '"," <- VERB = 0.6'),
        Piece("*", "any word", "* -> PUNCT = 0.1"),
        Piece("{A B}", "any of several", "ADP <- {NOUN PROPN} = 0.9"),
        Piece("ROOT", "the root of the sentence, before its first word; always a head", "ROOT -> VERB = 0.8"),
    ),
    "Where the words stand": (
        Piece("dist 1", "next to each other", "ADJ <- NOUN dist 1 = 0.9"),
        Piece("dist 2..5", "2 to 5 words apart; from ROOT: its position", "VERB -> NOUN dist 2..5 = 0.5"),
        Piece("dist >10", "more than 10 words apart", "VERB -> VERB dist >10 = 0.1"),
        Piece("between X", "some word between them is an X", "NOUN -> NOUN between ADP = 0.5"),
        Piece("between only X", "every word between them is an X", "DET <- NOUN between only ADJ = 1.0"),
        Piece("between none", "no word stands between them", "DET <- NOUN between none = 1.0"),
        Piece("between none X", "no X stands between them", "SCONJ <- VERB between none VERB = 0.9"),
        Piece("before head X", "the word just before the head is an X", "DET <- NOUN before head ADJ = 1.0"),
        Piece("after head X", "the word just after the head is an X", "VERB -> ADV after head ADV = 0.9"),
        Piece("before modifier X", "the word just before the modifier is an X", "* <- X before modifier DET = 0.7"),
        Piece("after modifier X", "the word just after the modifier is an X", "NOUN <- VERB after modifier VERB = 0.9"),
    ),
    "What the target is a share of": (
        Piece("per pair", "all pairs of such words in a sentence; this is usual", "ADJ <- NOUN per pair = 0.4"),
        Piece("per modifier", "the modifiers that have such a head", "DET <- NOUN per modifier = 0.9"),
        Piece("per head", "the heads that have such a modifier", "ROOT -> VERB per head = 0.8"),
        Piece("weight 2", "the line counts twice", "DET <- NOUN = 0.9 weight 2"),
    ),
}  # fmt: skip


RULES = {
    "Rules": (
        Piece("A has at most 1 r", "no A has more than one dependent r", "VERB has at most 1 {nsubj csubj}"),
        Piece("at least 1", "every A has as many or more", "AUX has at least 1 nsubj"),
        Piece("exactly 1", "every A has just as many", "ROOT has exactly 1 *"),
        Piece("no", "none: at most 0", "deprel:aux has no *"),
        Piece("except r", "dependents that do not count; or joins several", "deprel:cc has no * except fixed or conj"),
        Piece("if A has r then it", "of such A alone that have a dependent r", "if NOUN has case then it has no mark"),
        Piece("if A then its head is B", "what the head of each A is", "if DET then its head is {NOUN PROPN}"),
        Piece("after it", "the head stands after the word; before it: before", "if DET then its head is NOUN after it"),
        Piece("within 6", "the head is at most 6 words away", "if ADP then its head is * within 6"),
        Piece("= 0.9", "no law: at least this share of such words keep it", "VERB has at most 1 obl = 0.9"),
        Piece("price 2.5", "what breaking it costs, in the parser's scores", "VERB has at most 1 obl = 0.9 price 2.5"),
        Piece("# text", "a comment, at the start of the line or after a space", "VERB has at most 1 obj  # one object"),
    ),
    "Words of a rule": (
        Piece("NOUN", "a word with this UPOS", "NOUN has at most 1 det"),
        Piece("xpos: form: lemma: feats:", "an XPOS, a word form, a lemma, a feature", "form:not has no *"),
        Piece("deprel:aux", "a word with this relation", "deprel:aux has no obj"),
        Piece("nsubj", "that relation and its subtypes, save :outer", "VERB has at most 1 nsubj"),
        Piece("{A B}", "any of several, words or relations", "{NOUN PROPN} has no {aux cop}"),
        Piece("*", "any word, any relation", "* has at most 1 obj"),
        Piece("ROOT", "the root of the sentence, before its first word", "ROOT has no punct"),
        Piece("& B", "and it is a B, too: a dependent's own tag, say", "NOUN has no obj & VERB"),
        Piece("& not B", "and it is no B", "* & not VERB has no obj"),
        Piece("& under B", "and its head is a B", "NOUN & under VERB has at least 1 det"),
    ),
}  # fmt: skip


def notation_table(title: str) -> str:
    """The pieces under a title of NOTATION or RULES as a table in Markdown."""
    rows = []
    for piece in {**NOTATION, **RULES}[title]:
        meaning = piece.meaning.replace("|", "\\|")
        rows.append(f"| {_cell(piece.written)} | {meaning} | {_cell(piece.example)} |")
    return "\n".join(["| Write | It means | For example |", "|---|---|---|", *rows])


def _cell(code):
    return "`" + code.replace("|", "\\|") + "`"
