"""Constraints, counts and shares in words, and sentences with their words marked, for people to read."""

import re
from collections.abc import Mapping, Sequence, Set

from core.constraints import Constraint, Item
from core.constraints.language.constraint import EITHER_HEAD
from core.languages.direction import bidi_isolate
from core.treebank import Sentence

TAGS = {
    "ADJ": "adjective", "ADP": "adposition", "ADV": "adverb", "AUX": "auxiliary", "CCONJ": "conjunction",
    "DET": "determiner", "INTJ": "interjection", "NOUN": "noun", "NUM": "numeral", "PART": "particle",
    "PRON": "pronoun", "PROPN": "name", "PUNCT": "punctuation mark", "SCONJ": "subordinator", "SYM": "symbol",
    "VERB": "verb",
}  # fmt: skip
TAGGED = "word tagged "
SPECIAL = re.compile(r"[\\`*_{}\[\]~$|&^]|<(?=[a-zA-Z/!])|:(?=[a-zA-Z])|^[#>+=-]|(?<=\d)\.(?=\s)", re.MULTILINE)
JOINER = "\u2060"  # takes no room, and goes where GitHub's Markdown would see a link
ADDRESS = re.compile(r"(?<=:)(?=//)|(?<=www)(?=\.)|(?<=[\w.+-])(?=@)", re.IGNORECASE)
FLIPPED = {"->": "<-", "<-": "->", "--": "--"}  # an arrow seen from the modifier
AROUND = 6  # words of a sentence shown on either side of those that are marked


def question(constraint: Constraint, count: int) -> str:
    """What a constraint asks, in words: ``Of 7,524 determiners followed by a noun, how many attach to one?``.

    ``count`` is its denominator: pairs, modifiers or heads. Words stand before and after each other, in the order of
    the text, which is true of every script.
    """
    head, modifier = item_name(constraint.head), item_name(constraint.modifier)
    rest = "".join(f", {_condition(condition)}" for condition in constraint.conditions)
    one = count == 1
    if constraint.head.has_root and constraint.per == "head":
        ask = "does it have one as its root" if one else "how many have one as their root"
        sentences = "sentence" if one else "sentences"
        return f"Of {count:,} {sentences} with {article(modifier)}{_position(constraint)}{rest}, {ask}?"
    if constraint.head.has_root:
        ask = "is it the root of its sentence" if one else "how many are the root of their sentence"
        return f"Of {count:,} {plural(modifier, count)}{_position(constraint)}{rest}, {ask}?"
    if constraint.per == "modifier":
        ask = "does it attach to one" if one else "how many attach to one"
        return f"Of {count:,} {_beside(modifier, head, FLIPPED[constraint.arrow], constraint, count)}{rest}, {ask}?"
    if constraint.per == "head":
        ask = "is it the head of one" if one else "how many are the head of one"
        return f"Of {count:,} {_beside(head, modifier, constraint.arrow, constraint, count)}{rest}, {ask}?"
    pairs, ask = _pairs(constraint, head, modifier, count)
    return f"{count:,} {pairs}{rest}: {'is' if one else 'how often is'} {ask}?"


def _pairs(constraint, head, modifier, count):
    """(the pairs of words that are counted, what is asked of them), as ``question`` puts them."""
    if constraint.distance == (1, 1) and constraint.arrow in ("->", "<-"):
        pairs, ask = _beside(head, modifier, constraint.arrow, constraint, count), f"{_definite(head)} its head"
    else:
        place = _SIDES[constraint.arrow] + _distance(*(constraint.distance or (1, None)))
        if constraint.distance == (1, 1):
            place = "just after it" if constraint.arrow == EITHER_HEAD else "next to it"
        pairs = f"{'pair' if count == 1 else 'pairs'} of {article(head)} and {_other(modifier, head)} {place}"
        ask = f"{_definite(head)} the head"
    if constraint.arrow == EITHER_HEAD or head == modifier:
        which = {"->": "the earlier the head of the later", "<-": "the later the head of the earlier"}
        ask = which.get(constraint.arrow, "one the head of the other")
    return pairs, ask


def item_name(item: Item) -> str:
    """An item as a noun phrase without article: ``noun or name``, ``word tagged VBD or VBZ``, ``“the”``."""
    names = [_term_name(term) for term in item.terms]
    if all(name.startswith(TAGGED) for name in names):
        names[1:] = [name.removeprefix(TAGGED) for name in names[1:]]
    return " or ".join(names)


def plural(name: str, count: int) -> str:
    """The name for ``count`` of them."""
    if count == 1:
        return "word" if name == "any word" else name
    if name.startswith(TAGGED):
        return _plural(name)
    return " or ".join(_plural(part) for part in name.split(" or "))


def amount(count: int, name: str, many: str = "") -> str:
    """A count and what is counted, as in "1 sentence" and "1,200 sentences"; ``many`` where an s does not make it."""
    return f"{count:,} {name if count == 1 else many or name + 's'}"


def article(name: str) -> str:
    """The name with its indefinite article; quoted words take none."""
    if name == "any word":
        return "a word"
    if name.startswith("“"):
        return name
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"


def share_of(part: int, whole: int) -> str:
    """A percentage with its numerator and denominator."""
    return f"{part / whole:.1%} · {part:,} of {whole:,}" if whole else "no words"


def share_and_count(part: int, whole: int) -> str:
    """The same beside a column with the denominator, of even width so that it sorts by the share; "none" of nothing."""
    return f"{part / whole:6.1%} · {part:,}" if whole else "none"


def share_in_text(part: int, whole: int) -> str:
    """The same in running text, ``82.0% (41 of 50)``; "" of nothing."""
    return f"{part / whole:.1%} ({part:,} of {whole:,})" if whole else ""


def accuracy(scores: Mapping | None) -> str:
    """The ``share_in_text`` of words that recorded scores count as right, and which sentences they leave out.

    Those are learnt from: "none" where nothing else is left, "" without scores.
    """
    if not scores:
        return ""
    if not scores.get("words"):
        return f"none ({all_learnt(scores['learnt'])})" if scores.get("learnt") else ""
    share = share_in_text(scores["right"], scores["words"])
    return f"{share.removesuffix(')')}{beside_score(scores)})"


def beside_score(scores: Mapping) -> str:
    """What recorded scores are over, to stand behind their words: ``, without 10 sentences learnt from``; "" for all.

    Scores of older versions count sentences that were learnt from, which then is said.
    """
    if scores.get("learnt"):
        return f", without {amount(scores['learnt'], 'sentence')} learnt from"
    return ", sentences that it learnt from among them" if scores.get("among") else ""


def all_learnt(count: int) -> str:
    """Why there is nothing to score, ``count`` sentences with known heads being learnt from."""
    if count == 1:
        return "the one sentence with known heads was learnt from"
    return f"all {count:,} sentences with known heads were learnt from"


def p_value(value: float) -> str:
    """The p value of a test as a paper gives it."""
    return "p < 0.001" if value < 0.001 else f"p = {value:.3f}"


def word_name(sentence: Sentence, number: int, column: str = "") -> str:
    """A word with its tag, of ``column`` or else UPOS or XPOS; ``root`` for 0, "" for -1."""
    if number < 1:
        return "root" if number == 0 else ""
    tag = getattr(sentence, column)[number] if column else sentence.upos[number] or sentence.xpos[number]
    return f"{number} {bidi_isolate(sentence.forms[number])} {tag}".rstrip()


def marked_sentence(sentence: Sentence, head: int, modifier: int) -> str:
    """A sentence as Markdown with a pair of words marked; see ``marked_words``."""
    return marked_words(sentence, {head}, {modifier})


def marked_words(sentence: Sentence, heads: Set[int], modifiers: Set[int], tags: Sequence[str] = ()) -> str:
    """A sentence as Markdown: heads bold and blue, modifiers bold and orange; long ends cut off.

    ``tags``, one a row of the sentence, stand grey and small beside their words. Every sign of the text that Markdown
    knows is escaped.
    """
    marked = heads | modifiers
    first, last = max(1, min(marked) - AROUND), min(len(sentence), max(marked) + AROUND)
    words = []
    for number in range(first, last + 1):
        word = escape(sentence.forms[number])
        if number in modifiers:
            word = f":orange[**{word}**]"
        elif number in heads:
            word = f":blue[**{word}**]"
        words.append(f"{word} :gray[:small[{escape(tags[number])}]]" if tags else word)
    text = " ".join(words)
    return bidi_isolate(("… " if first > 1 else "") + text + (" …" if last < len(sentence) else ""))


def escape(text: str) -> str:
    """Text that Markdown shows as it is; addresses in it become no links."""
    return SPECIAL.sub(r"\\\g<0>", ADDRESS.sub(JOINER, text))


def code(text: str) -> str:
    """Text that Markdown shows as code, as it is."""
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", text)), default=0))
    return f"{fence} {text} {fence}" if "`" in text else f"`{text}`"


def _term_name(term):
    if term.column == "any":
        return "any word"
    if term.column == "root":
        return "root"
    if term.column in ("form", "lemma"):
        return f"“{term.value}”"
    if term.column == "feats":
        return f"word with {term.value}"
    name = None if term.column == "xpos" else TAGS.get(term.value)
    return name or TAGGED + term.value


def _plural(name):
    if name == "any word":
        return "words"
    if name.startswith("word "):
        return name.replace("word", "words", 1)
    return name if name.startswith("“") else name + "s"


def _definite(name):
    """The name with its definite article; quoted words take none."""
    if name.startswith("“"):
        return name
    return "the word" if name == "any word" else f"the {name}"


def _other(name, first):
    """The name with its indefinite article, as something else than ``first``."""
    if name != first or name.startswith("“"):
        return article(name)
    return "another word" if name == "any word" else f"another {name}"


def _beside(words, other, arrow, constraint, count):
    """Words and what stands beside them: ``nouns directly followed by an adjective``. ``arrow`` is seen from them."""
    other, words = _other(other, words), plural(words, count)
    low, high = constraint.distance or (1, None)
    if arrow == "--":
        them = "it" if count == 1 else "them"
        near = "next to" if (low, high) == (1, 1) else "before or after"
        return f"{words} with {other} {near} {them}{_distance(low, high)}"
    verb = "followed by" if arrow == "->" else "preceded by"
    directly = "directly " if (low, high) == (1, 1) else ""
    return f"{words} {directly}{verb} {other}{_distance(low, high)}"


_SIDES = {"->": "after it", "<-": "before it", "--": "before or after it", EITHER_HEAD: "after it"}


def _distance(low, high):
    if high is None:
        return f", {low} or more words away" if low > 1 else ""
    if low == high:
        return f", {low} words away" if low > 1 else ""
    return f", {low} to {high} words away" if low > 1 else f", at most {high} words away"


def _position(constraint):
    """Where in the sentence a word stands, counted from the root."""
    if constraint.distance is None:
        return ""
    low, high = constraint.distance
    if high is None:
        return f" in position {low} or later"
    return f" in position {low}" if low == high else f" in positions {low} to {high}"


def _condition(condition):
    """What stands between or beside the words: ``with a verb between them``, ``with a noun just before the head``."""
    if condition.item is None:
        return "with no word between them"
    name = item_name(condition.item)
    if condition.kind == "between":
        return f"with {article(name)} between them"
    if condition.kind == "between only":
        return f"with only {plural(name, 2)} between them"
    if condition.kind == "between none":
        return f"with no {'word' if name == 'any word' else name} between them"
    side, whose = condition.kind.split(" ")
    return f"with {article(name)} just {side} the {whose}"
