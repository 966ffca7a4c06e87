"""The option ``--rules`` of commands: a file of rules over relations and several arcs, and trees that keep them."""

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from contextlib import contextmanager

from core.commandline.texts import read, read_text
from core.constraints.grammar.ruled import target_shares
from core.errors import ConstraintError, WorkbenchError
from core.parsers import load_parser
from core.parsers.constrained_completion import given_whole
from core.parsers.labels import has_relations
from core.parsers.protocols import Parser, RelationScorer
from core.rules.checking import require_tags
from core.rules.parsing import RuledParse, parse_under_rules
from core.rules.prices import PricedRule, prices_from_shares, prices_from_trees
from core.rules.reading import known_relations, parse_rules
from core.rules.reporting import faulty_rows, price_rows, searched_rows
from core.rules.rule import Rule, format_rules
from core.shards import Shards
from core.treebank import Treebank
from core.workspace.wording import amount


def add_rules(command: ArgumentParser, help_text: str) -> None:
    """The option ``--rules FILE``, which ``given_rules`` reads."""
    command.add_argument("--rules", metavar="FILE", help=help_text)


def given_rules(options: Namespace) -> tuple[Rule, ...]:
    """The rules of ``--rules``, () without it. Raises ConstraintError, with file and line, for what cannot be read."""
    with _named(options):
        return parse_rules(read_text(options.rules)) if options.rules else ()


def rules_for(treebank: Treebank, options: Namespace) -> tuple[Rule, ...]:
    """The rules of ``--rules`` by which the trees of a text are checked.

    Raises ConstraintError as ``given_rules``, and for a relation that neither UD nor the text has; WorkbenchError for
    tags that the text lacks.
    """
    rules = given_rules(options)
    with _named(options):
        known_relations(rules, treebank.deprel.values)
    require_tags(rules, treebank)
    return rules


def rule_targets(options: Namespace, names: Sequence[str]) -> dict[Rule, float]:
    """The rules of ``--rules`` as targets of training: the share of words that should keep each.

    ``names`` are the relations of the parser below. Raises ConstraintError as ``given_rules`` and ``target_shares``.
    """
    rules = given_rules(options)
    with _named(options):
        return target_shares(rules, names)


@contextmanager
def _named(options):
    """What is wrong with rules is said with the name of their file."""
    try:
        yield
    except ConstraintError as error:
        raise ConstraintError(f"{options.rules}: {error}") from error


def parsed_under_rules(parser: Parser, treebank: Treebank, options: Namespace) -> tuple[RuledParse, dict, list[str]]:
    """(a text parsed under the rules of ``--rules``, what to report as JSON values, and as lines).

    Raises WorkbenchError for a parser that does not score relations arc by arc, and as ``parse_under_rules``.
    """
    scorer, rules = _scorer(parser, options), given_rules(options)
    with _named(options):
        priced = _priced(scorer, rules, treebank, options)
        parsed = parse_under_rules(scorer, treebank, [each.rule for each in priced], keep_trees=options.keep_trees)
    data = _report(priced, searched_rows(parsed))
    if options.keep_trees:
        data["kept"], data["faulty"] = int(parsed.kept.sum()), faulty_rows(parsed)
    return parsed, {"rules": data}, _lines(data, options.file)


def rules_for_shards(options: Namespace) -> tuple[str, list[PricedRule]]:
    """(the rules of ``--rules`` with their prices, as the text of a file; the prices that ``--prices-from`` found).

    Raises what ``parsed_under_rules`` does, as far as the first sentence shows it, and WorkbenchError for a rule with a
    share and no price: no worker sees the whole text.
    """
    scorer, rules = _scorer(load_parser(options.model), options), given_rules(options)
    for rule in rules:
        if rule.share is not None and rule.price is None and options.prices_from is None:
            raise WorkbenchError(
                f"{options.rules}: the price of {rule.text} is found in a whole text, and workers see a part each; "
                "add --prices-from TREES"
            )
    pieces = [piece for piece in Shards(options.file).pieces if len(piece.columns().lengths)]
    with _named(options):
        priced = _priced(scorer, rules, None, options)
        if pieces:
            parse_under_rules(scorer, pieces[0].treebank().limit(1), [each.rule for each in priced])
    return format_rules([each.rule for each in priced]), priced


def report_of_shards(shards: Shards, priced: list[PricedRule]) -> tuple[dict, list[str]]:
    """What the rows of parsed shards say of rules, as JSON values and as lines; sentences count through all shards."""
    rows, before = [], 0
    for shard in shards.rows:
        for row in shard["rules"]:
            named = row["sentence"] != str(row["number"])
            number = row["number"] + before
            rows.append(row | {"number": number, "sentence": row["sentence"] if named else str(number)})
        before += shard["sentences"]
    data = _report(priced, rows)
    return {"rules": data}, _lines(data, shards.name)


def _scorer(parser, options):
    if options.prices_from and not options.rules:
        raise WorkbenchError("--prices-from prices the rules of --rules; give both, or neither")
    if not isinstance(parser, RelationScorer):
        raise WorkbenchError(
            f"{options.model} does not score the relations of each arc, as --rules needs; english, universal and "
            "what `parser train` makes of trees with relations do"
        )
    return parser


def _priced(scorer, rules, treebank, options):
    """A PricedRule for each rule: from ``--prices-from``, else from the shares in the text itself."""
    if options.prices_from is None:
        none = [PricedRule(rule, 0, 0, 0, 0) for rule in rules]
        return none if treebank is None else prices_from_shares(scorer, rules, treebank)
    trees = read(options.prices_from, options)
    whole = trees.select(given_whole(trees))
    if not len(whole) or not has_relations(whole):
        raise WorkbenchError(
            f"{options.prices_from} has no sentence all of whose words have heads, with relations; --prices-from "
            "learns from such"
        )
    return prices_from_trees(scorer, rules, whole)


def _report(priced, rows):
    certified = sum(row["certified"] for row in rows)
    data = {"rules": len(priced), "searched": len(rows), "certified": certified, "sentences": rows}
    sought = [each for each in priced if each.words]
    return data | ({"prices": price_rows(sought)} if sought else {})


def _lines(data, file):
    """What a report of rules says, in lines."""
    lines = [
        f"{amount(data['rules'], 'rule')}: the best trees of {amount(data['searched'], 'sentence')} broke some; "
        f"{data['certified']} of them have another now, proved best"
    ]
    for row in data.get("prices", ()):
        told = f"broken at {row['broken']:,} of {amount(row['words'], 'word')}"
        law = f"{row['rule']}: {told}, so it is a law"
        lines.append(law if row["price"] is None else f"{row['rule']}: {told}")
    for row in data["sentences"]:
        if row["given"]:
            what, rules = " and ".join(row["given"]), "; ".join(row["clash"])
            end = f"with the rules {rules}; its tree breaks rules at the fewest words" if rules else "together"
            lines.append(f"{file}, sentence {row['sentence']}: no tree has {what} {end}")
        elif row["clash"]:
            clash = "; ".join(row["clash"])
            lines.append(f"sentence {row['sentence']}: no tree keeps {clash}; its tree has the fewest breaches")
        elif row["breaks"] and not row["certified"]:
            broken = "; ".join(row["breaks"])
            lines.append(
                f"sentence {row['sentence']}: after {row['decodings']:,} trees none is proved best, and this breaks "
                f"{broken}"
            )
    if "kept" in data:
        whole, broken = amount(data["kept"], "whole tree"), len(data["faulty"])
        lines.append(f"{whole} kept, and only checked by the rules: {broken} break one")
    for row in data.get("faulty", ()):
        lines.append(f"{file}, sentence {row['sentence']}: its own tree breaks {'; '.join(row['breaks'])}")
    return lines
