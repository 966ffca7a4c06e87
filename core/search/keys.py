"""The keys that a request asks for, and those of them that no word has."""

from collections.abc import Iterable
from difflib import get_close_matches

from core.errors import quoted
from core.languages.normal_form import composed
from core.search.request import COLUMNS, ENHANCED_MARK, Request
from core.search.word_values import WordValues
from core.treebank import Treebank

REACH, MOST = 3, 5  # letters by which a near value is longer or shorter; values named where none is near


def keys_asked(request: Request) -> list[str]:
    """The keys of words that a Request asks for, each once."""
    blocks = (request.pattern, *request.without)
    asked = [clause.key for block in blocks for clauses in block.words.values() for clause in clauses]
    asked += [
        key
        for block in blocks
        for comparison in block.comparisons
        for key in (comparison.left_key, comparison.right_key)
    ]
    return list(dict.fromkeys(asked))


def absent_values(request: Request, values: WordValues) -> list[str]:
    """A sentence for each plain value that the pattern asks for and no word or arc has, with the nearest that one has.

    O(values), each compared with what is asked for.
    """
    pattern, asked = request.pattern, []
    for clauses in pattern.words.values():
        asked += [(clause.key, clause.values) for clause in clauses if clause.kind == "is"]
    for arc in pattern.arcs:
        if arc.labels and not arc.negated:
            asked.append((ENHANCED_MARK if arc.enhanced else "deprel", arc.labels))
    sentences = []
    for key, wanted in asked:
        known = [value for value in values.column(key)[1] if value]
        plain = [composed(text) for text, is_regex in wanted if not is_regex]
        for value in plain if known and not values.among(key, wanted, False)[1:].any() else ():
            near = get_close_matches(value, [each for each in known if abs(len(each) - len(value)) <= REACH], 1, 0.5)
            which = f"the nearest is {near[0]}" if near else f"it has {', '.join(known[:MOST])}"
            name = {"deprel": "relation", ENHANCED_MARK: "enhanced relation"}.get(key, key)
            sentences.append(f"the text has no {name} {quoted(value)}; {which}")
    return list(dict.fromkeys(sentences))


def absent_keys(treebank: Treebank, keys: Iterable[str]) -> list[str]:
    """A sentence for each key that no word of a Treebank has, with the one that may be meant."""
    known = [name for name in COLUMNS if getattr(treebank, name).filled]
    for name in ("feats", "misc"):
        pairs = {pair for text in treebank.source.column(name).values for pair in text.split("|")}
        known += sorted({key for key, equals, _ in (pair.partition("=") for pair in pairs) if equals} - {*known})
    warnings = []
    for key in keys:
        if key.removeprefix("misc.") not in known:
            by_small = {name.lower(): name for name in reversed(known)}
            near = get_close_matches(key.removeprefix("misc.").lower(), by_small, 1, 0.6)
            warnings.append(f"no word has {key}" + (f"; did you mean {by_small[near[0]]}?" if near else ""))
    return warnings
