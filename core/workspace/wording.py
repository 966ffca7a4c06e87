"""Constraints, counts and shares in words, and sentences with some words marked, for people to read."""

import re
from collections.abc import Mapping, Sequence, Set
from typing import NamedTuple

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
JOINER = "\u2060"  # of zero width, breaks what GitHub's Markdown would show as a link
ADDRESS = re.compile(r"(?<=:)(?=//)|(?<=www)(?=\.)|(?<=[\w.+-])(?=@)", re.IGNORECASE)
FLIPPED = {"->": "<-", "<-": "->", "--": "--"}  # an arrow seen from the modifier
AROUND = 6  # words shown on either side of the marked words of a sentence


class DualTerms(NamedTuple):
    """What a run of dual decomposition speaks of: heads or tags.

    Attributes
    ----------
    analyses : str
        What is proved the best: "trees".
    decision, decisions : str
        What changes in an iteration: "arcs".
    value : str
        What a word is given: "head".
    solver : str
        Which side is not the consensus: "parser".
    done : str
        What it did to sentences: "parsed".
    group, groups : str
        What shares a consensus: "context".
    """

    analyses: str
    decision: str
    decisions: str
    value: str
    solver: str
    done: str
    group: str
    groups: str


HEAD_TERMS = DualTerms("trees", "arc", "arcs", "head", "parser", "parsed", "context", "contexts")
TAG_TERMS = DualTerms("tags", "tag", "tags", "tag", "tagger", "tagged", "group", "groups")


def question(constraint: Constraint, count: int) -> str:
    """A constraint as a question: ``Of 7,524 determiners followed by a noun, how many attach to one?``.

    ``count`` is its denominator: pairs, modifiers or heads. Words are before or after each other, not left or right,
    which holds in every script.
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
    """(the pairs of words that are counted, the question about them) for ``question``."""
    if constraint.distance == (1, 1) and constraint.arrow in ("->", "<-"):
        pairs, ask = _beside(head, modifier, constraint.arrow, constraint, count), f"{_definite(head)} its head"
    else:
        position = _SIDES[constraint.arrow] + _distance(*(constraint.distance or (1, None)))
        if constraint.distance == (1, 1):
            position = "just after it" if constraint.arrow == EITHER_HEAD else "next to it"
        pairs = f"{'pair' if count == 1 else 'pairs'} of {article(head)} and {_other(modifier, head)} {position}"
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
    """The name in the number that ``count`` needs."""
    if count == 1:
        return "word" if name == "any word" else name
    if name.startswith(TAGGED):
        return _plural(name)
    return " or ".join(_plural(part) for part in name.split(" or "))


def amount(count: int, name: str, many: str = "") -> str:
    """A count with its noun, as in "1 sentence" and "1,200 sentences"; ``many`` is an irregular plural."""
    return f"{count:,} {name if count == 1 else many or name + 's'}"


def joined(names: Sequence[str]) -> str:
    """Names as a sentence lists them: "a, b and c"."""
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


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
    """A share for a table with a column for the denominator: its even width sorts by the share; "none" of 0."""
    return f"{part / whole:6.1%} · {part:,}" if whole else "none"


def share_in_text(part: int, whole: int) -> str:
    """A share in running text, ``82.0% (41 of 50)``; "" of 0."""
    return f"{part / whole:.1%} ({part:,} of {whole:,})" if whole else ""


def weights_text(heads: float, relations: float) -> str:
    """How much an added parse counts: ``weight 5.2 for heads, 3.1 for relations``."""
    if not heads and not relations:
        return "weight 0, so it does not count"
    return f"weight {heads:.2g} for heads, {relations:.2g} for relations"


def beside_score(scores: Mapping) -> str:
    """The end of a phrase on recorded scores: ``, without 10 sentences learnt from``; "" where they are over all.

    It differs for scores of older versions, which include sentences that were learnt from.
    """
    if scores.get("learnt"):
        return f", without {amount(scores['learnt'], 'sentence')} learnt from"
    return ", sentences that it learnt from among them" if scores.get("among") else ""


def all_learnt(count: int, decided: str = "heads") -> str:
    """The reason for no score: all ``count`` sentences with known heads, or tags, were learnt from."""
    if count == 1:
        return f"the one sentence with known {decided} was learnt from"
    return f"all {count:,} sentences with known {decided} were learnt from"


def p_value(value: float) -> str:
    """The p value of a test in a paper's form."""
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

    ``tags``, one for each row of the sentence, follow their words in grey and small. The text is escaped for Markdown.
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
    """Text escaped for Markdown; addresses in it become no links."""
    return SPECIAL.sub(r"\\\g<0>", ADDRESS.sub(JOINER, text))


def code(text: str) -> str:
    """Text as code in Markdown."""
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
    """The name with its indefinite article, or "another" if it equals ``first``."""
    if name != first or name.startswith("“"):
        return article(name)
    return "another word" if name == "any word" else f"another {name}"


def _beside(words, other, arrow, constraint, count):
    """Words and their neighbours: ``nouns directly followed by an adjective``. ``arrow`` is seen from the words."""
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
    """The position of a word in the sentence, by its distance from the root."""
    if constraint.distance is None:
        return ""
    low, high = constraint.distance
    if high is None:
        return f" in position {low} or later"
    return f" in position {low}" if low == high else f" in positions {low} to {high}"


def _condition(condition):
    """A condition in words: ``with a verb between them``, ``with a noun just before the head``."""
    if condition.item is None:
        return "with no word between them"
    name = item_name(condition.item)
    if condition.kind == "between":
        return f"with {article(name)} between them"
    if condition.kind == "between only":
        return f"with only {plural(name, 2)} between them"
    if condition.kind == "between none":
        return f"with no {'word' if name == 'any word' else name} between them"
    side, neighbour = condition.kind.split(" ")
    return f"with {article(name)} just {side} the {neighbour}"


def around(forms: Sequence[str], word: int) -> str:
    """The word at ``word`` between ⟦ and ⟧, with some words of its sentence on either side; ``forms[0]`` is none.

    For 0, how the sentence begins.
    """
    begin, end = max(1, word - AROUND), min(len(forms), word + AROUND + 1)
    words = [*forms[begin:word], f"⟦{forms[word]}⟧", *forms[word + 1 : end]] if word else forms[1:end]
    return bidi_isolate(" ".join(["…"] * (begin > 1) + [*words] + ["…"] * (end < len(forms))))
