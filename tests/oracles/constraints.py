"""Constraints matched the slow way: every head, every modifier, every condition asked word by word.

A sentence is a list of dicts, one per position; position 0 is the root, ``{"root": True}``; words have the keys
"tag", "upos", "xpos", "form", "lemma" and "feats". An item is a list of (column, value) pairs, any of which
may hold. Imports nothing from core.
"""

from itertools import product

from tests.oracles.trees import trees as listed_trees


def item_holds(item, sentence, position):
    """Whether the word at a position is of an item; outside the sentence nothing holds."""
    if not 0 <= position < len(sentence):
        return False
    word = sentence[position]
    for column, value in item:
        if word.get("root"):
            if column == "root":
                return True
        elif column == "any":
            return True
        elif column == "feats":
            if word["feats"] and all(part in word["feats"].split("|") for part in value.split("|")):
                return True
        elif column != "root" and word[column] == value:
            return True
    return False


def admits(constraint, sentence, head, modifier):
    """Whether (head, modifier) is a candidate; the constraint is a dict like the fields of Constraint."""
    if head == modifier or modifier == 0:
        return False
    if constraint["arrow"] == "<->":  # the first item stands first, whichever of the two is the head
        first, last = sorted((head, modifier))
        return first > 0 and admits({**constraint, "arrow": "->"}, sentence, first, last)
    if not item_holds(constraint["head"], sentence, head):
        return False
    if not item_holds(constraint["modifier"], sentence, modifier):
        return False
    if constraint["arrow"] == "->" and not head < modifier:
        return False
    if constraint["arrow"] == "<-" and not modifier < head:
        return False
    if constraint["distance"] is not None:
        low, high = constraint["distance"]
        if abs(head - modifier) < low or (high is not None and abs(head - modifier) > high):
            return False
    return all(condition_holds(kind, item, sentence, head, modifier) for kind, item in constraint["conditions"])


def condition_holds(kind, item, sentence, head, modifier):
    """One condition; ``item`` None asks about any word."""
    between = range(min(head, modifier) + 1, max(head, modifier))
    holds = [item is None or item_holds(item, sentence, position) for position in between]
    if kind == "between":
        return any(holds)
    if kind == "between only":
        return all(holds)
    if kind == "between none":
        return not any(holds)
    side, which = kind.split()
    word = head if which == "head" else modifier
    return item_holds(item, sentence, word - 1 if side == "before" else word + 1)


def in_their_column(constraints, sentences):
    """The sentences, the "tag" of each word that of the column that has more of the tags that bare items name.

    XPOS where both have as many; a column that no word has a tag in is not taken.
    """
    items = [each[name] for each in constraints for name in ("head", "modifier")]
    items += [item for each in constraints for _, item in each["conditions"] if item is not None]
    named = {value for item in items for column, value in item if column == "tag"}
    words = [word for sentence in sentences for word in sentence[1:]]
    present = {name: {word[name] for word in words} - {""} for name in ("xpos", "upos")}
    xpos, upos = (len(named & present[name]) for name in ("xpos", "upos"))
    chosen = "upos" if present["upos"] and (upos > xpos or not present["xpos"]) else "xpos"
    return [[word | {"tag": word.get(chosen)} for word in sentence] for sentence in sentences]


def candidates(constraint, sentence):
    """All (head, modifier) of a sentence, heads first."""
    positions = range(len(sentence))
    return [(h, m) for h in positions for m in positions if admits(constraint, sentence, h, m)]


def counts(constraint, sentences, heads):
    """The figures of a Coverage as a dict, without the bounds; ``heads[i][m]`` is -1 where unknown."""
    figures = dict.fromkeys(
        ("pairs", "modifiers", "heads", "sentences", "known_pairs", "known_modifiers", "known_heads", "edges"), 0
    )
    for sentence, tree in zip(sentences, heads, strict=True):
        found = candidates(constraint, sentence)
        either = constraint["arrow"] == "<->"
        known = [(h, m) for h, m in found if tree[m] >= 0 and (not either or tree[h] >= 0)]
        if either:  # of two words that have heads, one pair
            found, known = [(h, m) for h, m in found if h < m], [(h, m) for h, m in known if h < m]
            figures["edges"] += sum(tree[h] == m for h, m in known)
        for prefix, pairs in (("", found), ("known_", known)):
            figures[prefix + "pairs"] += len(pairs)
            figures[prefix + "modifiers"] += len({m for _, m in pairs})
            figures[prefix + "heads"] += len({h for h, _ in pairs})
        figures["sentences"] += bool(found)
        figures["edges"] += sum(tree[m] == h for h, m in (known if either else found))
    return figures


def trees(words, projective=False):
    """Every tree with one root word over words 1..n, as tuples of heads with -1 at position 0."""
    return [tuple(tree) for tree in listed_trees(words, True, projective).tolist()]


def edge_range(constraint, sentence, projective=False):
    """(fewest, most) candidates that are edges of one tree."""
    found = candidates(constraint, sentence)
    values = [sum(tree[m] == h for h, m in found) for tree in trees(len(sentence) - 1, projective)]
    return min(values), max(values)


def statistics(sentences, heads, key):
    """{key(sentence, h, m): [pairs, edges]} over all pairs, the root as head included; key may be None."""
    figures = {}
    for sentence, tree in zip(sentences, heads, strict=True):
        for h, m in product(range(len(sentence)), range(1, len(sentence))):
            name = key(sentence, h, m) if h != m else None
            if name is not None:
                cell = figures.setdefault(name, [0, 0])
                cell[0] += 1
                cell[1] += tree[m] == h
    return figures
