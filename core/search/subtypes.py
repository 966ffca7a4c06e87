"""Relations of a request that are matched as they are written, while their subtypes may be meant too."""

import re
from collections import Counter

from core.languages.typography import plain_signs
from core.search.budget import Budget
from core.search.request import ENHANCED_MARK, SUBTYPES, Request
from core.search.scanning import TOKEN
from core.search.word_values import WordValues
from core.treebank import Treebank
from core.treebank.relations import base, means

MOST = 3  # subtypes named
FEATURES = re.compile(r"[^\]]*?[=!]")  # of an arc, in place of its relation


def left_out(treebank: Treebank, request: Request) -> Counter[str]:
    """The subtypes that a Request passes over, as a relation without subtype means just that there.

    Returns
    -------
    Counter
        Subtype -> how many arcs of the Treebank have it; with ENHANCED_MARK those of its graphs. Empty where
        ``with_subtypes`` would make no difference.

    Notes
    -----
    O(words + relations asked for * distinct relations).
    """
    values, found = WordValues(treebank, Budget()), Counter[str]()
    for key, names in _asked(request).items():
        ids, relations = values.column(key)
        mark = ENHANCED_MARK if key == ENHANCED_MARK else ""
        for number, relation in enumerate(relations):
            if relation not in names and means(names, relation) and base(relation) + SUBTYPES not in names:
                found[mark + relation] = int((ids == number).sum())
    return +found


def left_out_words(passed: Counter[str]) -> str:
    """What ``left_out`` found, as one sentence without its full stop; the most frequent MOST by name."""
    named = ", ".join(f"{count:,} {relation}" for relation, count in passed.most_common(MOST))
    more = f" and {len(passed) - MOST} more subtypes" if len(passed) > MOST else ""
    first = next(iter(passed))
    mark = ENHANCED_MARK if first.startswith(ENHANCED_MARK) else ""
    first = mark + base(first.removeprefix(mark))
    return f"relations match as written; besides, the text has {named}{more}; {first}{SUBTYPES} has its subtypes too"


def _asked(request):
    """Key of the relations -> those that some block asks for as they are written, each with its other forms."""
    asked: dict[str, list[str]] = {}
    for block in (request.pattern, *request.without):
        for arc in (arc for arc in block.arcs if not arc.negated):
            asked.setdefault(ENHANCED_MARK if arc.enhanced else "deprel", []).extend(_plain(arc.labels or ()))
        for clauses in block.words.values():
            for clause in clauses:
                if clause.key == "deprel" and clause.kind == "is":
                    asked.setdefault("deprel", []).extend(_plain(clause.values))
    return asked


def _plain(values):
    return [text for text, is_regex in values if not is_regex]


def _opens_relations(text, token):
    """Whether a sign opens the relations of an arc, and no features of one."""
    return token.group() in ("-[", "-[^") and not FEATURES.match(text, token.end())


def with_subtypes(text: str) -> str:
    """The text of a request with ``:*`` after each relation of its patterns that has no subtype."""
    written, last, block = [], "", ""
    in_arc = of_relation = False
    text = plain_signs(text)
    for token in TOKEN.finditer(text):
        word, kind = token.group(), token.lastgroup
        if kind != "space":
            block = last if word == "{" else block
            in_arc = (in_arc and word != "]->") or _opens_relations(text, token)
            of_relation = (last == "deprel" and word in ("=", "<>")) or (of_relation and word not in (",", "]"))
            last = word
            name = word[1:-1] if kind == "text" else word
            is_relation = kind in ("word", "text") and (in_arc or of_relation) and block != "commands"
            if is_relation and ":" not in name.removeprefix(ENHANCED_MARK):
                word = name + SUBTYPES
        written.append(word)
    return "".join(written)
