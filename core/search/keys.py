"""The keys that a request asks for, and those of them that no word has."""

from collections.abc import Iterable
from difflib import get_close_matches

from core.search.request import COLUMNS, Request
from core.treebank import Treebank


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
