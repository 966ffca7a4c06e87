"""What parsing under rules found, sentence by sentence, as JSON values."""

from core.rules.given import GivenArc
from core.rules.parsing import RuledParse
from core.rules.prices import PricedRule


def searched_rows(parsed: RuledParse, before: int = 0) -> list[dict]:
    """A row for each sentence that was searched, in order; ``before`` sentences of the text stand before these.

    ``clash`` has rules and ``given`` what is given of the tree, where no tree has all of both.
    """
    words, rows = parsed.words, []
    for each in parsed.searched:
        number = before + int(words.picks[each.sentence]) + 1
        arcs = [clash.text for clash in each.clash if isinstance(clash, GivenArc)]
        rows.append({
            "sentence": words[each.sentence].sent_id or str(number), "number": number,
            "certified": bool(each.tree.certified), "value": each.tree.value, "bound": each.tree.bound,
            "decodings": each.tree.decodings, "broke": sorted({breach.rule.text for breach in each.broken}),
            "breaks": sorted({breach.rule.text for breach in each.tree.breaches}),
            "clash": [clash.text for clash in each.clash if not isinstance(clash, GivenArc)], "given": arcs,
        })  # fmt: skip
    return rows


def faulty_rows(parsed: RuledParse) -> list[dict]:
    """A row for each sentence that was kept as it is and breaks a rule."""
    treebank = parsed.treebank
    return [
        {"sentence": treebank[index].sent_id or str(int(treebank.picks[index]) + 1),
         "number": int(treebank.picks[index]) + 1, "breaks": sorted({breach.rule.text for breach in found})}
        for index, found in parsed.faulty
    ]  # fmt: skip


def price_rows(priced: list[PricedRule]) -> list[dict]:
    """A row for each rule whose price was sought; ``price`` is None for a law."""
    return [
        {"rule": each.rule.text, "price": each.rule.price, "share": each.rule.share, "words": each.words,
         "broken": each.broken, "parser_breaks": each.parser_breaks, "wrong": each.wrong}
        for each in priced
    ]  # fmt: skip
