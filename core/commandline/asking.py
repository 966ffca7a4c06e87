"""``grammar ask``: what somebody who knows the language should be asked next."""

from argparse import Namespace

import numpy as np

from core.commandline import texts
from core.commandline.options import READS, Commands, add_command, add_settings
from core.commandline.projection import under_constraints
from core.commandline.reports import Report, table
from core.commandline.values import positive
from core.constraints.authoring.questions import ENOUGH, ArcQuestions, CheckedTrees
from core.constraints.authoring.word_order import parse_order
from core.constraints.grammar.settings import LIMITS, GrammarSettings
from core.constraints.matching.matcher import choose_tag_column
from core.errors import WorkbenchError
from core.evaluation.learnt import has_heads
from core.parsers import load_parser
from core.parsers.decoding import PosteriorParser
from core.parsers.punctuation_arcs import marks_between
from core.parsers.universal.parser import UniversalParser
from core.treebank import Treebank
from core.workspace.constraints.plan import first_tags
from core.workspace.wording import around, question


def add_ask(actions: Commands) -> None:
    """Add ``grammar ask`` to the command line."""
    title = "questions about a text whose answers, one of eight words each, teach a parser most"
    command = add_command(actions, "ask", title, run_ask, READS)
    command.add_argument("file", metavar="FILE")
    command.add_argument("--model", required=True, metavar="M",
                         help="a parser that says how probable arcs are: universal, or a file")  # fmt: skip
    command.add_argument("--order", metavar="ANSWERS", help="what is known about word order, for a universal parser")
    command.add_argument("--constraints", metavar="C", help="what was answered so far: it is not asked again, and the "
                         "trees keep it")  # fmt: skip
    command.add_argument("--trees", metavar="TREES", help=f"FILE with the heads that were checked, _ elsewhere: from "
                         f"{ENOUGH} such sentences on, questions come first where they differ from M")  # fmt: skip
    command.add_argument("--count", type=positive, default=20, metavar="N", help="how many questions at most (20)")
    add_settings(command, GrammarSettings(), LIMITS)


def run_ask(options: Namespace) -> Report:
    """Rank questions about FILE by how unsure the trees of a model are, under constraints if there are any."""
    text = texts.read(options.file, options)
    below = _parser(options, text)
    model = under_constraints(below, text, options)[0]
    assert isinstance(model, PosteriorParser)  # as the one below
    constraints = texts.read_constraints(options.constraints, text, options).constraints
    words = text.without_punctuation()
    column = choose_tag_column(constraints, text, options.tags) if constraints else options.tags or first_tags(text)
    if column is None:
        raise WorkbenchError(f"{options.file} has no tags, of which questions speak; tag it first")
    known, checked = _checked(options, text), None
    if known is not None:
        checked = CheckedTrees(known.without_punctuation().heads, _marginals(below, text, words))
    asked = ArcQuestions(words, column).ranked(
        _marginals(model, text, words), {constraint.name for constraint in constraints}, options.count, checked=checked
    )
    data = [
        {"constraint": each.name, "of": each.of, "share": each.share,
         "examples": [_example(words, *example) for example in each.examples]} for each in asked
    ]  # fmt: skip
    rows = [(each.name, f"{each.share:.2f}", question(each.constraint, each.of)) for each in asked]
    shown = table(rows, ("constraint", "share", "question")) if rows else "there is nothing to ask about this text"
    return Report({"questions": data}, shown)


def _parser(options, text):
    """The parser of ``--model``, which knows the language of a text."""
    parser, order = load_parser(options.model), parse_order(options.order or "")
    if isinstance(parser, UniversalParser):
        return parser.with_answers(order).for_text(text, texts.named_language(text, options))
    if order:
        raise WorkbenchError(f"--order is for a universal parser, and {options.model} is none; leave it out")
    if not isinstance(parser, PosteriorParser):
        raise WorkbenchError(f"{options.model} does not say how probable an arc is; give universal, or a grammar")
    return parser


def _checked(options, text):
    """The Treebank of ``--trees`` if enough of its sentences have a head, else None."""
    if not options.trees:
        return None
    trees = texts.read(options.trees, options)
    if [sentence.forms for sentence in trees] != [sentence.forms for sentence in text]:
        raise WorkbenchError(f"{options.trees} has other sentences than {options.file}; give the same, with heads")
    return trees if has_heads(trees).sum() >= ENOUGH else None


def _marginals(model: PosteriorParser, text: Treebank, words: Treebank) -> np.ndarray:
    """The probability of every arc between words that are no marks, whose arcs pay for the marks that they pass."""
    return model.marginals(words, votes=-model.price * marks_between(text, words), whole=text)[1].values


def _example(words, sentence, head, modifier):
    return {
        "sentence": words[sentence].sent_id or int(words.picks[sentence]) + 1, "head": words[sentence].forms[head],
        "modifier": words[sentence].forms[modifier], "text": around(words[sentence].forms, modifier),
    }  # fmt: skip
