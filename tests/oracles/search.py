"""Hits of a request by looking at every assignment of words."""

import itertools
import re

from core.search.request import COLUMNS, ROOT
from core.search.word_values import feature_value


def enumerate_hits(sentence, request):
    """Set of tuples: numbers of the pattern's words, in the pattern's order."""
    found = {tuple(bound[name] for name in request.pattern.words) for bound in _bindings(sentence, request.pattern, {})}
    names = tuple(request.pattern.words)
    return {
        hit
        for hit in found
        if not any(any(_bindings(sentence, block, dict(zip(names, hit, strict=True)))) for block in request.without)
    }


def _bindings(sentence, block, bound):
    new = [name for name in block.words if name not in bound]
    places = [[0] if name == ROOT else range(1, len(sentence) + 1) for name in new]
    for numbers in itertools.product(*places):
        full = bound | dict(zip(new, numbers, strict=True))
        if len(set(full.values())) == len(full) and _holds(sentence, block, full):
            yield full


def _holds(sentence, block, at):
    heads = sentence.heads
    for name, clauses in block.words.items():
        for clause in clauses:
            value = _value(sentence, at[name], clause.key)
            among = _among(value, clause.values)
            if not {"is": among, "not": not among, "has": value != "", "lacks": value == ""}[clause.kind]:
                return False
    for arc in block.arcs:
        if arc.enhanced:
            if not any(
                head == str(at[arc.head]) and _among(relation, arc.labels) != arc.negated
                for head, relation in _enhanced(sentence, at[arc.modifier])
            ):
                return False
            continue
        above = _ancestors(heads, at[arc.modifier]) if arc.deep else {int(heads[at[arc.modifier]])}
        if at[arc.head] not in above:
            return False
        relation = sentence.deprels[at[arc.modifier]]
        if arc.labels is not None and _among(relation, arc.labels) == arc.negated:
            return False
    for order in block.orders:
        away = at[order.second] - at[order.first]
        if away < 1 or (order.adjacent and away != 1):
            return False
    return all(
        (_value(sentence, at[each.left], each.left_key) == _value(sentence, at[each.right], each.right_key))
        != each.negated
        for each in block.comparisons
    )


def _enhanced(sentence, word):
    """(head, relation) of each enhanced arc of a word."""
    fields = sentence.graph.deps[word].split("|") if word and sentence.graph is not None else []
    return [tuple(field.split(":", 1)) for field in fields if field]


def _among(value, wanted):
    return any(
        bool(re.fullmatch(text, value)) if is_regex else text in (value, f"{value.split(':')[0]}:*")
        for text, is_regex in wanted
    )


def _ancestors(heads, word):
    found = set()
    while heads[word] >= 0:
        word = int(heads[word])
        found.add(word)
        if word == 0:
            break
    return found


def _value(sentence, word, key):
    names = {"form": "forms", "lemma": "lemmas", "deprel": "deprels"}
    if key in COLUMNS:
        return getattr(sentence, names.get(key, key))[word]
    return feature_value(sentence.feats[word], key)
