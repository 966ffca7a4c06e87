"""``grammar lines``, ``train``, ``ask``, ``propose``: lines to begin with, a grammar from lines, more lines."""

from argparse import Namespace
from dataclasses import asdict, replace

import numpy as np

from core.commandline import texts
from core.commandline.asking import add_ask
from core.commandline.options import LEARNS, READS, Commands, add_actions, add_command, add_settings, settings_of
from core.commandline.projection import expectation_data, expectation_lines
from core.commandline.reports import Report, by_keys, every_second, extent, saved
from core.commandline.ruling import add_rules, rule_targets
from core.commandline.values import positive
from core.constraints import format_constraints
from core.constraints.authoring.preview import GrammarArcs
from core.constraints.authoring.proposals import Proposal, propose
from core.constraints.authoring.ranking import rank
from core.constraints.authoring.universal import FILES, lines_to_begin
from core.constraints.authoring.word_order import NAMES, parse_order, suggest_order
from core.constraints.grammar.judging import TaughtParser
from core.constraints.grammar.stacking import LEAST
from core.constraints.grammar.training import GrammarSettings, train_grammar
from core.constraints.matching.matcher import as_matcher, choose_tag_column
from core.constraints.warming import GRAMMAR
from core.errors import WorkbenchError
from core.parsers import load_parser
from core.parsers.decoding import PosteriorParser
from core.parsers.labels import RuleLabels, learn_relations
from core.parsers.prior import NAMES as PRIORS
from core.parsers.prior import NEAREST, NONE
from core.parsers.punctuation_arcs import marks_between
from core.parsers.self_training import concatenate
from core.parsers.universal.parser import UniversalParser
from core.shards.folder import Shards
from core.treebank import Treebank
from core.workspace.wording import amount

RULES, EDGES = "rules", "edges"
PRESETS = {"best": "auto", "plain": "no"}  # whether frequent words are symbols of their own


def add_commands(commands: Commands) -> None:
    """Add ``grammar`` to the command line."""
    actions = add_actions(commands, "grammar", "lines on an extended-valence grammar (posterior regularization)")
    title = "lines to begin with: universal ones, and word order by answers"
    command = add_command(actions, "lines", title, run_lines, READS)
    command.add_argument("file", metavar="FILE")
    command.add_argument("--heads", choices=tuple(FILES), default="content",
                         help="content words are heads, as in UD, in any language; function words, English in Penn "
                         "tags (default: content)")  # fmt: skip
    command.add_argument("--order", metavar="ANSWERS", default="",
                         help=f"of {', '.join(NAMES)}, such as adposition=before,heads-last=no; or {EDGES}: as the "
                         "first and last words of sentences suggest")  # fmt: skip
    title = "train a grammar from constraints on unparsed text"
    command = add_command(actions, "train", title, run_train, LEARNS, GRAMMAR)
    command.add_argument("file", metavar="FILE|FOLDER")
    command.add_argument("--constraints", metavar="C", help="a file of constraints; may be left out with a prior")
    command.add_argument("--prior", choices=PRIORS, default=NONE,
                         help="learn above the universal parser, whose trees turn where they break a constraint; "
                         "nearest: the nearest languages answer what --order does not (default: none)")  # fmt: skip
    command.add_argument("--order", metavar="ANSWERS", help="of the prior, such as adposition=before,object=0.1 (a "
                         "share: of those before)")  # fmt: skip
    add_rules(command, "with --prior: a file of rules over relations and several arcs, which its trees turn to keep")
    command.add_argument("--then", metavar="C2", help="retrain warm with these constraints afterwards")
    command.add_argument("--labels", metavar="rules|TREES",
                         help="relations of the trees: by rules from parts of speech, or learnt from a file of trees; "
                         "without, root and dep")  # fmt: skip
    command.add_argument("--preset", choices=tuple(PRESETS), default="best",
                         help="best: frequent words are symbols where that makes held-out text more probable; "
                         "plain: tags alone")  # fmt: skip
    command.add_argument(
        "--trees", metavar="TREES",
        help="trees to learn from too: FILE with heads, or other sentences; _ where a head is not known",
    )  # fmt: skip
    add_settings(command, GrammarSettings())
    add_ask(actions)
    title = "lines that would have prevented the errors of a grammar"
    command = add_command(actions, "propose", title, run_propose, READS)
    command.add_argument("file", metavar="FILE", help="the text, with heads where they are known and _ elsewhere")
    command.add_argument("--model", metavar="M", required=True, help="what grammar train --out wrote")
    command.add_argument("--constraints", metavar="C", required=True, help="the constraints that it was trained on")
    command.add_argument("--count", type=positive, default=10, metavar="N", help="how many lines at most (10)")


def run_train(options: Namespace) -> Report:
    """Train on FILE; ``--max-length`` is for training: text to score is taken at all lengths."""
    whole = texts.any_length(options)
    text = texts.read_text_or_shards(options.file, whole)
    test = texts.read(options.test, whole) if options.test else text
    constraints, later = (
        texts.read_constraints(path, text, options).constraints for path in (options.constraints, options.then)
    )
    settings, trees = training_settings(options), _trees(options, text, whole)
    prior = _prior(options, text, trees)
    text, heads = _with_known_heads(text, trees)
    brackets = texts.brackets_of(text, options) if settings.level != "none" else None
    known = {"brackets": brackets, "trees": heads, "prior": prior, "rules": _rules(options, prior)}
    related = texts.read(options.labels, whole) if options.labels not in (None, RULES) else None
    column = choose_tag_column(constraints, text, options.tags)
    labels = None if related is None else learn_relations(related, column)
    if options.labels == RULES:
        labels = RuleLabels()
    progress = every_second(options.progress, lambda state: (
        f"{state.stage}, iteration {state.iteration}: dual {state.dual:.4f} nats a word, {state.seconds:.0f} s"
    ))  # fmt: skip
    with texts.engine_of(options, text) as engine:
        result = train_grammar(text, constraints, settings, engine=engine, progress=progress, **known)
        seconds = {"seconds": result.seconds}
        if later:
            result = train_grammar(text, later, settings, engine=engine, start=result.model, progress=progress, **known)
            seconds["warm_seconds"] = result.seconds
    model = result.model.with_labels(labels)
    out = saved(options.out, model.save)
    data = _scores(test, model, [trees, related], bool(options.test))
    data |= texts.text_figures(text, options, data) | {"column": column}
    data |= {name: getattr(result, name) for name in ("status", "dual", "gap", "held_out", "untagged", "learnt")}
    data |= expectation_data(result, settings.trust)
    data |= {name: [line.name for line in getattr(result, name)] for name in ("unmet", "skipped")}
    data["crossing"] = [text[index].sent_id or index + 1 for index in result.crossing if isinstance(text, Treebank)]
    data |= {"ignored": _ignored(options)} | seconds | out
    if options.order and isinstance(text, Treebank):
        texts.order_doubts(text, options, data)
    return Report(data, _text(data, result))


def _prior(options, text, trees):
    """The universal parser of ``--prior`` for a text, which learns trees if there are any; or None."""
    if options.prior == NONE:
        if options.order:
            raise WorkbenchError("--order is for a prior; say with --prior which, or leave it out")
        if not options.constraints:
            raise WorkbenchError("there is nothing to learn from; give --constraints, --prior, or both")
        return None
    if isinstance(text, Shards):
        raise WorkbenchError("a prior is for a file, not for shards; leave out --prior")
    parser = UniversalParser.load()
    parser = parser if options.prior == NEAREST else parser.with_sources(())
    parser = parser.with_answers(parse_order(options.order or "")).for_text(text, texts.named_language(text, options))
    return parser if trees is None else TaughtParser(parser, trees)


def _rules(options, prior):
    """The rules of ``--rules`` with the shares that should keep them; {} without."""
    if not options.rules:
        return {}
    below = prior.untaught if isinstance(prior, TaughtParser) else prior
    if not isinstance(below, UniversalParser):
        raise WorkbenchError("--rules are targets above a parser that scores relations; add --prior universal")
    if options.labels:
        raise WorkbenchError("--rules speak of the relations of the universal parser; leave out --labels, or --rules")
    return rule_targets(options, below.relations)


def _ignored(options):
    """The options of a grammar that were given, and do nothing above a parser, which is no grammar."""
    if options.prior == NONE:
        return []
    given = {"--preset": options.preset != "best"}
    given |= {f"--{name.replace('_', '-')}": getattr(options, name) for name in ("second_order", "together", "stacked")}
    return [name for name, is_given in given.items() if is_given]


def training_settings(options: Namespace) -> GrammarSettings:
    """The settings that options ask for."""
    settings = settings_of(options, GrammarSettings(words=PRESETS[options.preset]))
    if options.max_length is None:
        return settings
    lengths = settings.lengths[:1] if options.max_length > settings.lengths[0] else ()
    lengths = (*lengths, options.max_length)
    return replace(settings, lengths=lengths, iterations=settings.iterations[: len(lengths)])


def _scores(test, model, taught, is_named):
    """Attachment of a model's trees, of relations too where it writes any; {} where the text has no trees."""
    if isinstance(test, Shards) or not (test.heads >= 0).any():
        return {}
    parsed, is_labelled = model.parse(test), model.labeller is not None

    def score(gold):
        return texts.attachment(gold, parsed, is_labelled)

    return texts.scores_of(test, [bank for bank in taught if bank is not None], score, is_named)


def _trees(options, text, whole):
    """The sentences of ``--trees``, or None."""
    if options.stacked and not options.trees:
        raise WorkbenchError("--stacked learns trees; say with --trees which, or leave it out")
    if not options.trees:
        return None
    if isinstance(text, Shards):
        raise WorkbenchError("known trees are of a file's sentences, not of shards; leave out --trees")
    trees = texts.read(options.trees, whole)
    known = np.logical_or.reduceat(trees.heads >= 0, trees.offsets[:-1]).sum()
    if known < (LEAST if options.stacked else 1):
        raise WorkbenchError(
            f"{options.trees}: {amount(int(known), 'sentence')} with a known head; "
            + (f"to stack, give trees of {LEAST} at least" if options.stacked else "give heads to learn from")
        )
    return trees


def _with_known_heads(text, trees):
    """(text, heads of trees or None): the heads of FILE's own words, or other sentences behind those of FILE."""
    if trees is None:
        return text, None
    if [sentence.forms for sentence in trees] == [sentence.forms for sentence in text]:
        return text, trees.heads
    return concatenate(text, trees), np.concatenate([np.full(len(text.heads), -1, np.int32), trees.heads])


def _text(data, result):
    lines = [f"{extent(data['sentences'], data['tokens'])}, constraints on {data['column'].upper()}; "
             f"{data['seconds']:.1f} s"]  # fmt: skip
    if "warm_seconds" in data:
        lines.append(f"retrained after the edit in {data['warm_seconds']:.1f} s")
    if "uas" in data:
        columns = {"UAS %": "uas", "without punctuation": "bare", **({"LAS %": "las"} if "las" in data else {})}
        lines += [f"scored on {data['scored_on']}", "", by_keys([texts.beside(data)], columns | {"words": "words"})]
    lines += texts.scores_said(data)
    if data["held_out"]:
        words, tags = (data["held_out"][name] for name in ("words", "tags"))
        better = "more" if words > tags else "less"
        lines += ["", f"held-out sentences: {words:.3f} nats a word with words as symbols, {better} than {tags:.3f} "
                      "with tags alone"]  # fmt: skip
    lines += expectation_lines(data, result)
    if data["learnt"]:
        lines.append(f"a second-order parser learnt {amount(data['learnt'], 'tree')}")
    lines += [f"warning: {name} does nothing above the universal parser; leave it out" for name in data["ignored"]]
    lines += [f"warning: {sentence}" for sentence in data.get("doubts", ())]
    lines += [f"warning: {name} stays outside its target" for name in data["unmet"]]
    lines += [f"warning: {name} matches nothing in this text" for name in data["skipped"]]
    if data["untagged"]:
        lines.append(f"warning: left out: {amount(data['untagged'], 'sentence')} with a word without a tag")
    if data["crossing"]:
        lines.append(f"warning: no tree without crossing arcs has the known heads of {data['crossing'][0]}"
                     + (f" and {len(data['crossing']) - 1} more" if data["crossing"][1:] else ""))  # fmt: skip
    return "\n".join(lines)


def run_lines(options: Namespace) -> Report:
    """The lines that match something in FILE; what the edges show and what is left out stand in comments."""
    treebank = texts.read(options.file, options)
    edges = suggest_order(treebank, options.tags) if options.order == EDGES else []
    suggested = {edge.name: edge.answer for edge in edges if edge.answer}
    answers = suggested if edges else parse_order(options.order)
    selection = lines_to_begin(treebank, options.heads, answers, options.tags)
    remarks = [
        f"# {edge.name}: {edge.answer or 'cannot tell'}, first {edge.first:,}, last {edge.last:,} of {edge.sentences:,}"
        for edge in edges
    ]
    remarks += [f"# left out, matches nothing here: {line.text}" for line in selection.left_out]
    text = selection.text + "".join(f"{remark}\n" for remark in ["", *remarks] if remarks)
    left_out = [line.name for line in selection.left_out]
    data = {"constraints": text, "left_out": left_out, "order": answers, "edges": [asdict(edge) for edge in edges]}
    return Report(data, text.rstrip("\n"))


def run_propose(options: Namespace) -> Report:
    """Write proposed lines as a constraint file, what each would do as a comment."""
    treebank = texts.read(options.file, options)
    model = load_parser(options.model)
    if not isinstance(model, PosteriorParser):
        raise WorkbenchError(f"{options.model} is no grammar; give what grammar train --out wrote")
    constraints = texts.read_constraints(options.constraints, treebank, options).constraints
    words = treebank.without_punctuation()
    heads = model.parse(treebank).without_punctuation().heads
    votes = -model.price * marks_between(treebank, words)
    marginals = model.marginals(words, votes=votes, whole=treebank)[1]
    matcher = as_matcher(words, options.tags, constraints)
    proposals = propose(matcher, words.heads, heads, marginals, constraints, options.count)
    proposals = rank(proposals, GrammarArcs.of(model, treebank), matcher, words.heads)
    text = format_constraints([replace(proposal.constraint, comment=_comment(proposal)) for proposal in proposals])
    return Report({"constraints": text, "count": len(proposals)}, text.rstrip("\n") or "no line would prevent an error")


def _comment(proposal: Proposal) -> str:
    instead = "" if proposal.line is None else f"; in place of: {proposal.line.text}"
    trees = ""
    if proposal.verdict is not None:
        trees = "; beside those above the trees gain {:,} right heads and lose {:,}".format(*proposal.verdict)
    return (
        f"prevents {proposal.gained:.1f} errors and makes {proposal.lost:.1f}: the share is {proposal.share:.2f} of "
        f"{proposal.coverage.known_denominator:,} known, the model gives {proposal.expectation:.2f}{trees}{instead}"
    )
