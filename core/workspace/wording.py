"""Constraints in words, and sentences with their words marked, for people to read."""

import re

from core.direction import isolated

TAGS = {
    "ADJ": "adjective", "ADP": "adposition", "ADV": "adverb", "AUX": "auxiliary", "CCONJ": "conjunction",
    "DET": "determiner", "INTJ": "interjection", "NOUN": "noun", "NUM": "numeral", "PART": "particle",
    "PRON": "pronoun", "PROPN": "name", "PUNCT": "punctuation mark", "SCONJ": "subordinator", "SYM": "symbol",
    "VERB": "verb", "X": "word tagged X",
}  # fmt: skip
SPECIAL = re.compile(r"[\\`*_{}\[\]~$|&^]|<(?=[a-zA-Z/!])|:(?=[a-zA-Z])|^[#>+=-]|(?<=\d)\.(?=\s)", re.MULTILINE)
AROUND = 6  # words of a sentence shown on either side of those that are marked


def question(constraint, count):
    """What a constraint asks, in words: ``Of 7,524 determiners with a noun to their right, how many attach to one?``.

    ``count`` is its denominator: pairs, modifiers or heads.
    """
    head, modifier = item_name(constraint.head), item_name(constraint.modifier)
    conditions = "".join(f", {condition.text}" for condition in constraint.conditions)
    number = f"{count:,}"
    one = count == 1
    if constraint.head.has_root and constraint.per != "head":
        words = plural(modifier, count)
        return f"Of {number} {words}{_place(constraint)}{conditions}, how many head their sentence?"
    if constraint.per == "modifier":
        their = "its" if one else "their"
        where = _where(constraint, "left" if constraint.arrow == "->" else "right", their)
        verb = "does it attach to one" if one else "how many attach to one"
        return f"Of {number} {plural(modifier, count)} with {article(head)} {where}{conditions}, {verb}?"
    if constraint.per == "head":
        if constraint.head.has_root:
            return f"Of {number} sentences with {article(modifier)}{conditions}, how many have one as their root?"
        where = _where(constraint, "right" if constraint.arrow == "->" else "left", "its" if one else "their")
        return f"Of {number} {plural(head, count)} with {article(modifier)} {where}{conditions}, how many head one?"
    where = _where(constraint, "right" if constraint.arrow == "->" else "left", "its")
    pairs = "pair" if one else "pairs"
    return f"Of {number} {pairs} of {article(head)} and {article(modifier)} {where}{conditions}, how many are edges?"


def item_name(item):
    """An item as a noun phrase without article: ``determiner``, ``noun or name``, ``“the”``."""
    return " or ".join(_term_name(term) for term in item.terms)


def plural(name, count):
    """The name for ``count`` of them."""
    if count == 1:
        return name
    return " or ".join(_plural(part) for part in name.split(" or "))


def amount(count, name):
    """A count and what is counted, as in "1 sentence" and "1,200 sentences"."""
    return f"{count:,} {name}{'' if count == 1 else 's'}"


def article(name):
    """The name with its indefinite article; quoted words take ``a word``."""
    if name == "any word":
        return "a word"
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"


def marked_sentence(sentence, head, modifier):
    """A sentence as Markdown with a pair of words marked; see ``marked_words``."""
    return marked_words(sentence, {head}, {modifier})


def marked_words(sentence, heads, modifiers):
    """A sentence as Markdown: heads bold and blue, modifiers bold and orange; long ends cut off.

    Every sign of the text that Markdown knows is escaped.
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
        words.append(word)
    text = " ".join(words)
    return isolated(("… " if first > 1 else "") + text + (" …" if last < len(sentence) else ""))


def escape(text):
    """Text that Markdown shows as it is."""
    return SPECIAL.sub(r"\\\g<0>", text)


def code(text):
    """Text that Markdown shows as code, as it is."""
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", text)), default=0))
    return f"{fence} {text} {fence}" if "`" in text else f"`{text}`"


def _term_name(term):
    if term.column == "any":
        return "any word"
    if term.column == "root":
        return "root"
    if term.column in ("tag", "upos"):
        return TAGS.get(term.value, term.value)
    if term.column in ("form", "lemma"):
        return f"“{term.value}”"
    return term.value


def _plural(name):
    if name in ("any word", "a word"):
        return "words"
    if name.startswith("word tagged"):
        return name.replace("word", "words", 1)
    if name in TAGS.values():
        return name + "s"
    return f"{name} words" if not name.startswith("“") else name


def _where(constraint, side, whose):
    """Where the other word stands, seen from one: ``to its left``, ``next to it on the right``."""
    if constraint.arrow == "--":
        place = f"on either side of {'it' if whose == 'its' else 'them'}"
    else:
        place = f"to {whose} {side}"
    return place + _distance(constraint)


def _distance(constraint):
    if constraint.distance is None:
        return ""
    low, high = constraint.distance
    if (low, high) == (1, 1):
        return ", right beside"
    if high is None:
        return f", {low} or more words away"
    if low == high:
        return f", {low} words away"
    return f", {low} to {high} words away" if low > 1 else f", at most {high} words away"


def _place(constraint):
    if constraint.distance is None:
        return ""
    low, high = constraint.distance
    if high is None:
        return f" at place {low} or later"
    return f" at place {low}" if low == high else f" at places {low} to {high}"
