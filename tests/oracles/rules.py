"""Rules over labelled trees, and the best tree that keeps them, by looking at every tree. Imports nothing from core.

A test of a word is a dict: ``relations``, ``tags``, ``not`` and ``under`` (tags of its head), each a list or absent. A
rule is a dict too: ``word`` ("ROOT" or a test), ``dependent``, ``except`` (a list of tests), ``given``, ``low`` and
``high``; or, with ``head``, a rule about heads: ``word``, ``head``, ``side`` and ``within``. Tags, heads and relations
have an entry for the root, whose tag is "ROOT".
"""

from itertools import product
from math import exp, log


def written(rule):
    """A rule in the notation."""
    if "head" in rule:
        side = f" {rule['side']} it" if rule.get("side") else ""
        within = f" within {rule['within']}" if rule.get("within") else ""
        return f"if {_word(rule['word'])} then its head is {_word(rule['head'])}{side}{within}"
    low, high = rule["low"], rule["high"]
    count = "no" if high == 0 else f"at least {low}" if high is None else f"at most {high}"
    if low and low == high:
        count = f"exactly {low}"
    exceptions = " or ".join(_dependent(test) for test in rule.get("except", []))
    clause = f"has {count} {_dependent(rule['dependent'])}" + (f" except {exceptions}" if exceptions else "")
    if rule.get("given"):
        return f"if {_word(rule['word'])} has {_dependent(rule['given'])} then it {clause}"
    return f"{_word(rule['word'])} {clause}"


def _word(test):
    if test == "ROOT":
        return test
    first = [f"deprel:{_set(test['relations'])}"] if test.get("relations") else []
    return " & ".join(_with_rest(test, first)) or "*"


def _dependent(test):
    return " & ".join(_with_rest(test, [_set(test["relations"]) if test.get("relations") else "*"]))


def _with_rest(test, parts):
    parts += [_set(test["tags"])] if test.get("tags") else []
    if test.get("not"):
        parts = (parts or ["*"]) + [f"not {_set(test['not'])}"]
    if test.get("under"):
        parts = (parts or ["*"]) + [f"under {_set(test['under'])}"]
    return parts


def _set(names):
    return names[0] if len(names) == 1 else "{" + " ".join(names) + "}"


def breaches(rule, tags, heads, relations):
    """The words at which a whole tree breaks a rule."""
    words = range(1, len(tags))

    def fits(test, word):
        if test == "ROOT":
            return word == 0
        own = relations[word]
        if test.get("relations") and (word == 0 or not any(_means(name, own) for name in test["relations"])):
            return False
        if test.get("tags") and tags[word] not in test["tags"]:
            return False
        if test.get("not") and tags[word] in test["not"]:
            return False
        return not test.get("under") or (word != 0 and tags[heads[word]] in test["under"])

    if "head" in rule:
        return [word for word in words if fits(rule["word"], word) and not _stands(rule, word, heads, fits)]
    broken = []
    for word in [0] if rule["word"] == "ROOT" else words:
        children = [child for child in words if heads[child] == word]
        if not fits(rule["word"], word) or (rule.get("given") and not any(fits(rule["given"], c) for c in children)):
            continue
        counted = [
            child for child in children
            if fits(rule["dependent"], child) and not any(fits(test, child) for test in rule.get("except", []))
        ]  # fmt: skip
        if len(counted) < rule["low"] or (rule["high"] is not None and len(counted) > rule["high"]):
            broken.append(word)
    return broken


def _stands(rule, word, heads, fits):
    head = heads[word]
    on_its_side = {"after": head > word, "before": head < word, "": True}[rule.get("side", "")]
    return on_its_side and abs(head - word) <= rule.get("within", 99) and fits(rule["head"], head)


def _means(name, relation):
    return relation == name or (relation.startswith(name + ":") and relation != name + ":outer")


def labelled_trees(heads_of_trees, allowed):
    """Every tree under every assignment of relations; ``allowed(head, word)`` are the relations of an arc."""
    for heads in heads_of_trees:
        for relations in product(*(allowed(heads[word], word) for word in range(1, len(heads)))):
            yield heads, ("", *relations)


def best(rules, tags, trees, value):
    """(value, breaches) of the best tree by the fewest breaches of all rules, then by value; None without trees."""
    ranked = [
        (-sum(len(breaches(rule, tags, heads, relations)) for rule in rules), value(heads, relations))
        for heads, relations in trees
    ]
    return max(ranked, default=None)


def sums(rules, tags, trees, weight, prices):
    """(log-partition, {(head, word): probability}, words expected to break each rule) over labelled trees.

    A tree weighs ``exp(weight(heads, relations))``, less the price of its rule for each breach.
    """
    total, arcs, broken = 0.0, {}, [0.0] * len(rules)
    for heads, relations in trees:
        counts = [len(breaches(rule, tags, heads, relations)) for rule in rules]
        share = exp(weight(heads, relations) - sum(price * count for price, count in zip(prices, counts, strict=True)))
        total += share
        for word in range(1, len(heads)):
            arcs[heads[word], word] = arcs.get((heads[word], word), 0.0) + share
        broken = [mass + share * count for mass, count in zip(broken, counts, strict=True)]
    shares = {arc: mass / total for arc, mass in arcs.items()}
    return log(total), shares, [mass / total for mass in broken]
