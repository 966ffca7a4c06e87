"""``parse`` and ``evaluate``."""

import json
import time
from argparse import Namespace

import numpy as np

from core.commandline import texts
from core.commandline.long_sentences import add_longest, long_lines, short_enough, with_cuts, with_long
from core.commandline.options import READS, SPREADS, Commands, add_command, add_settings
from core.commandline.paired import PairedOutcome, paired_report
from core.commandline.projection import beside_parses, steered, under_constraints, weights_of_parses
from core.commandline.reports import Report, by_keys, table, write_text, written
from core.commandline.ruling import add_rules, parsed_under_rules
from core.commandline.shards import annotate, save_annotated
from core.commandline.texts import (
    add_enhanced,
    attachment,
    not_scored,
    read,
    refuse_engine,
    refuse_of_files,
    say_dropped_graphs,
)
from core.commandline.values import positive
from core.constraints.grammar.judging import TaughtParser
from core.constraints.grammar.settings import LIMITS, GrammarSettings
from core.errors import WorkbenchError
from core.evaluation import attachment_scores, conll2006_scores, conll2018_scores
from core.evaluation.alignment import OTHER_WORDS, spell_the_same
from core.evaluation.comparison import KINDS
from core.evaluation.learnt import learnt_sentences
from core.evaluation.scores import first_difference, forms_differ, require_same_text
from core.evaluation.shared_tasks import RELATION_SCORES, RULES, conll2006_counted
from core.joint import JointParser, OneScheme
from core.joint.files import KIND
from core.parsers import ENGLISH, UNIVERSAL, load_parser
from core.parsers.confidence import Confident, with_confidence
from core.parsers.constrained_completion import complete
from core.parsers.labels import has_relations
from core.parsers.protocols import KBest, Labeller
from core.parsers.sharded import PARSE, Annotation
from core.parsers.universal.parser import UniversalParser
from core.parsers.universal.source_languages import EXPECTED, NAMED, is_far
from core.parsers.warming import PARSING
from core.parsers.weights import read_kind
from core.shards.folder import is_folder
from core.treebank import Column, Treebank
from core.treebank.provenance import drawn_by_hand
from core.treebank.writing import writer_of
from core.workspace.scoring import UNKNOWN_TRAINING
from core.workspace.wording import amount

OF_RELATIONS = (*RELATION_SCORES, "las", "label_accuracy")
F1_COLUMNS = ("correct", "gold", "system", "aligned", "precision", "recall", "f1", "aligned_accuracy")


def add_commands(commands: Commands) -> None:
    """Add ``parse`` and ``evaluate`` to the command line."""
    command = add_command(commands, "parse", "parse a file, or a folder of shards", run_parse, READS + SPREADS, PARSING)
    command.add_argument("file", metavar="FILE|FOLDER")
    command.add_argument(
        "--model", required=True, metavar="M", help="a parser saved with --out, or ours: english, universal"
    )
    command.add_argument("--order", metavar="ANSWERS", help="what is known about word order, for a universal parser: "
                         "adposition=before,object=after,adjective=0.8,... (a share: of those before)")  # fmt: skip
    command.add_argument("--out", required=True, metavar="FILE|FOLDER", help="write CoNLL-U here, or shards")
    command.add_argument("--kin", metavar="NAMES", help="languages among those that a universal parser has learnt that "
                         "answer what --order does not, or none (default: the language of FILE, where it is one of "
                         "them and --language or # lang names it, else the six most like FILE)")  # fmt: skip
    command.add_argument("--trees", metavar="TREES", help="a few sentences of FILE's language with heads, that correct "
                         "a universal parser; _ where a head is not known")  # fmt: skip
    command.add_argument("--beside", action="append", metavar="PARSE", help="another parse of FILE, as corpus adopt "
                         "reads it; how far to trust it is learnt from --trees; once for each")  # fmt: skip
    command.add_argument("--constraints", metavar="C", help="a file of constraints that the trees of FILE should keep, "
                         "as far as their weights go")  # fmt: skip
    add_rules(command, "a file of rules that no tree may break, such as VERB has at most 1 nsubj")
    command.add_argument("--prices-from", metavar="TREES", help="whole trees that say what breaking each rule of "
                         "--rules costs; those that they never break stay laws")  # fmt: skip
    add_settings(command, GrammarSettings(), LIMITS)
    command.add_argument("--confidence", action="store_true", help="write beside each word how probable its head and "
                         "relation are (MISC: ArcConf, LabelConf)")  # fmt: skip
    command.add_argument("--kbest", type=positive, metavar="K", help="the K best trees of each sentence too, as JSON "
                         "in OUT.json; with --json in what is printed")  # fmt: skip
    command.add_argument("--scheme", metavar="NAME", help="whose trees a joint model writes: a name, or 1, 2, ... "
                         "(default: 1)")  # fmt: skip
    command.add_argument("--keep-trees", action="store_true", help="leave sentences alone all of whose words have a "
                         "head (default: they are parsed anew; of others the heads that are there stay)")  # fmt: skip

    add_longest(command)
    add_enhanced(command)

    command = add_command(commands, "evaluate", "score systems against gold trees, and test their differences",
                          run_evaluate, READS)  # fmt: skip
    command.add_argument("gold", metavar="GOLD")
    command.add_argument("systems", metavar="SYSTEM", nargs="+", help="the files of one system or more")
    command.add_argument("--by", choices=[kind.replace(" ", "-") for kind in KINDS], help="the scores of each kind of "
                         "words too, and a test of every two systems in each")  # fmt: skip
    command.add_argument("--rules", choices=RULES, help="score as that shared task did (default: words with a gold "
                         "head, with punctuation and without)")  # fmt: skip


def run_parse(options: Namespace) -> Report:
    """Parse FILE; scores are added where it has trees of its own."""
    if is_folder(options.file):
        refuse_of_files(
            options,
            "keep_trees",
            "keep_enhanced",
            "drop_enhanced",
            "order",
            "kin",
            "trees",
            "beside",
            "constraints",
            "confidence",
            "kbest",
            "longest",
            "cut",
        )
        return annotate(options, Annotation(PARSE, options.model))
    refuse_engine(options, options.file)
    writer_of(options.out)  # before the work
    if str(options.model) not in (ENGLISH, UNIVERSAL) and read_kind(options.model) == KIND:
        model = OneScheme(JointParser.load(options.model), options.scheme)
    elif options.scheme:
        raise WorkbenchError(f"{options.model} holds one parser, not a joint model; leave out --scheme")
    else:
        model = steered(load_parser(options.model), options)
    whole, cut = with_cuts(read(options.file, options), options)
    treebank = short_enough(whole, options)
    trees = read(options.trees, options) if options.trees else None
    began = time.perf_counter()
    if isinstance(model, UniversalParser):  # sentences that are given in part are parsed by themselves
        language = texts.named_language(treebank, options)
        sources = () if model.language is not None else model.own_sources(language)
        model = model.for_text(treebank, language)
    below = model
    taught = model
    if isinstance(model, UniversalParser) and trees is not None:
        taught = TaughtParser(beside_parses(model, whole, options), trees)
    model, of_constraints, moved = under_constraints(taught, treebank, options)
    parsed, partial, of_rules, kept = _trees(model, treebank, options)
    best = _kbest(model, treebank, options)
    confident = _confident(model, parsed, options)
    data = save_annotated(with_long(confident, whole, options), options, began)
    learnt = np.zeros(len(treebank), bool) if trees is None else learnt_sentences(treebank, trees)
    given, left_out = (np.repeat(some, treebank.lengths + 1) for some in (partial, partial | learnt))
    scored = np.where(left_out | options.keep_trees, -1, treebank.heads)
    gold = treebank.with_heads(scored, treebank.deprel)
    scores, bare = (attachment_scores(gold, parsed, punctuation=counted) for counted in (True, False))
    if scores.words:
        data.update(uas=scores.uas, words=scores.words, without_punctuation={"uas": bare.uas, "words": bare.words})
        if getattr(model, "labelled", False) and scores.labelled:
            data.update(las=scores.las, label_accuracy=scores.label_accuracy)
            data["without_punctuation"]["las"] = bare.las
    if isinstance(model, OneScheme):
        data.update(scheme=model.name, schemes=list(model.names))
    lines = [written("parsed", data)]
    data |= of_constraints | of_rules
    beside, weighed = weights_of_parses(taught, options)
    data |= {"beside": beside} if beside else {}
    lines += [*weighed, *moved, *kept]
    lines += long_lines(model, treebank, cut, data)
    if long := len(whole) - len(treebank):
        data["unparsed"] = long
        lines.append(f"{amount(long, 'sentence')} of more than {options.longest} words left as the file has them")
    if isinstance(below, UniversalParser) and (nearest := below.nearest(treebank)):
        data["nearest"] = [{"name": source.name, "divergence": source.divergence} for source in nearest]
        lines.append(f"most like {', '.join(source.name for source in nearest[:NAMED])}")
        if sources:
            data["own"] = list(sources)
            lines.append(f"{sources[0]} is among the sources: its own word order answers what --order leaves open")
        elif is_far(nearest, treebank.without_punctuation().token_count):
            lines.append(f"warning: no near language in the sources: expect about {EXPECTED}% of heads")
    if options.order:
        lines += texts.order_doubts(treebank, options, data)
    if best is not None and options.json:
        data["kbest"] = best
    elif best is not None:
        write_text(f"{options.out}.json", json.dumps(best, ensure_ascii=False, indent=1))
        lines.append(f"the {options.kbest} best trees of each sentence written to {options.out}.json")
    say_dropped_graphs(parsed, data, lines)
    if partial.any():
        data["given"] = {"sentences": int(partial.sum()), "heads": int((treebank.heads[given] >= 0).sum())}
        completed, heads = amount(data["given"]["sentences"], "sentence"), amount(data["given"]["heads"], "head")
        lines.append(f"{completed} completed around {heads} that stood there; they are not scored")
    if learnt.any():
        data["learnt_sentences"] = int(learnt.sum())
        lines.append(not_scored(data["learnt_sentences"]))
    if scores.words and str(options.model) not in (ENGLISH, UNIVERSAL):
        data["conditions"] = f"{options.model}: {UNKNOWN_TRAINING}"
        lines.append(f"warning: {data['conditions']}")
    if scores.words:
        lines.append(f"unlabeled attachment against the file's own trees: {_counted(scores, bare, 'uas')}")
    if "las" in data:
        lines.append(f"labeled attachment: {_counted(scores, bare, 'las')}")
    return Report(data, "\n".join(lines))


def _trees(model, treebank, options) -> tuple[Treebank, np.ndarray, dict, list[str]]:
    """(the parsed text, which sentences were given in part, what to report of rules as JSON values, and as lines)."""
    if options.rules is None and options.prices_from is None:
        parsed, partial = complete(model, treebank, keep_trees=options.keep_trees)
        return parsed, partial, {}, []
    parsed, of_rules, lines = parsed_under_rules(model, treebank, options)
    return parsed.treebank, parsed.partial, of_rules, lines


def _counted(scores, bare, name):
    """A share of all words, and of those without punctuation if there are any."""
    without = f", {getattr(bare, name):.1f}% of {bare.words} without punctuation" if bare.words else ""
    return f"{getattr(scores, name):.1f}% of {scores.words} words{without}"


def _confident(model, parsed, options):
    """The parsed text with ``--confidence``, if asked for."""
    if not options.confidence:
        return parsed
    if not isinstance(model, Confident):
        raise WorkbenchError(f"{options.model} does not say how probable an arc is; leave out --confidence")
    return with_confidence(parsed, model.confidence(parsed))


def _kbest(model, treebank, options):
    """The trees of ``--kbest``, a list for each sentence; None where they are not asked for."""
    if not options.kbest:
        return None
    if not isinstance(model, KBest):
        raise WorkbenchError(f"{options.model} draws one tree of each sentence; leave out --kbest")
    candidates, listed = model.kbest(treebank, options.kbest), []
    relations = [_ranked_relations(model, treebank, candidates, rank) for rank in range(options.kbest)]
    for i, sentence in enumerate(treebank):
        rows = slice(treebank.offsets[i] + 1, treebank.offsets[i + 1])
        trees = [
            {"score": value, "heads": heads[1:].tolist(), "relations": relations[rank][rows].tolist()}
            for rank, (heads, value) in enumerate(zip(*candidates[i], strict=True))
        ]
        listed.append({"sentence": sentence.sent_id or str(i + 1), "trees": trees})
    return listed


def _ranked_relations(model, treebank, candidates, rank):
    """object (rows,): the relations of the trees of a rank, of the last of sentences that have fewer."""
    heads = np.concatenate([candidates[i][0][min(rank, candidates.counts[i] - 1)] for i in range(len(treebank))])
    named = model.label(treebank, heads) if isinstance(model, Labeller) else treebank.with_heads(heads).deprel
    return named.strings() if isinstance(named, Column) else np.array(named, object)


def run_evaluate(options: Namespace) -> Report:
    """Attachment scores with and without punctuation, per system; or those of a shared task."""
    if options.rules:
        return _by_rules(options)
    scored = "without_punctuation" if options.no_punctuation else "with_punctuation"
    options.no_punctuation = False  # it selects what is scored; trees stay whole
    gold = read(options.gold, options)
    systems, banks, rows, notes = {}, {}, [], []
    counted = (gold.heads >= 0) & (True if scored == "with_punctuation" else ~gold.punctuation())
    for path in options.systems:
        system = read(path, options)
        try:
            require_same_text(gold, system)
        except WorkbenchError as error:
            if spell_the_same(gold, system):
                raise WorkbenchError(f"{path} {OTHER_WORDS}{first_difference(gold, system)}") from error
            raise
        notes += [f"note: {note}" for note in (forms_differ(gold, system),) if note]
        scorable, drawn = _without_drawn(gold, system, path)
        notes += [f"not scored: {amount(drawn, 'word')} of {path} drawn by hand, as its comments say"] if drawn else []
        banks[str(path)], counted = system, counted & (scorable.heads >= 0)
        is_labelled = has_relations(system)
        every = attachment(scorable, system, is_labelled)
        parts = {"without_punctuation": every.pop("without_punctuation"), "with_punctuation": every}
        if has_relations(gold) and not is_labelled:
            notes.append(f"no LAS: {path} names no relations")
        systems[str(path)] = {**parts[scored], **parts, "drawn_by_hand": drawn}
        for part, name in (("with_punctuation", "all words"), ("without_punctuation", "without punctuation")):
            rows.append({**parts[part], "system": str(path), "scored": name})
    first = next(iter(systems.values()))
    columns = {"system": "system", "scored": "scored", "words": "words", "UAS %": "uas", "LAS %": "las"}
    text = by_keys(rows, columns | {"complete %": "complete_match"})
    paired, lines = paired_report(PairedOutcome.of(gold, banks, counted), options.by)
    data = {**first, "systems": systems, **paired, **({"notes": notes} if notes else {})}
    return Report(data, "\n".join([text, *lines, *notes]))


def _without_drawn(gold, system, path):
    """(the gold trees without words whose heads in ``system`` were drawn by hand, how many these are)."""
    drawn = drawn_by_hand(system)
    if not drawn.any():
        return gold, 0
    left = np.where(drawn, -1, gold.heads)
    if not (left >= 0).any():
        raise WorkbenchError(f"{path}: comments say that all its heads were drawn by hand; there is nothing to score")
    return gold.with_heads(left, gold.deprel), int(drawn.sum())


def _without_relations(banks, notes):
    """Whether one of the treebanks, by file, has no relations; ``notes`` then get a line on it."""
    bare = [path for path, bank in banks.items() if not has_relations(bank)]
    notes += [f"no scores of relations: {bare[0]} names none"] if bare else []
    return bool(bare)


def _left(scores, bare):
    """Scores by name; where there are ``bare`` trees, without those of relations."""
    return {name: score for name, score in scores.items() if not (bare and name in OF_RELATIONS)}


def _by_rules(options):
    """The scores of the shared task that ``--rules`` names, per system."""
    if options.no_punctuation:
        raise WorkbenchError("a shared task has its own rule for punctuation; leave out --no-punctuation")
    gold = read(options.gold, options)
    systems, banks, rows, notes = {}, {}, [], []
    for path in options.systems:
        banks[str(path)] = system = read(path, options)
        notes += [f"note: {note}" for note in (forms_differ(gold, system),) if note]
        bare = _without_relations({options.gold: gold, path: system}, notes)
        if options.rules == "conll2018":
            f1_scores = _left(conll2018_scores(gold, system), bare)
            systems[str(path)] = {name.lower(): f1.as_dict() for name, f1 in f1_scores.items()}
            rows += [
                (str(path), name, *(getattr(f1, column) for column in F1_COLUMNS)) for name, f1 in f1_scores.items()
            ]
            continue
        without, whole = conll2006_scores(gold, system), conll2006_scores(gold, system, punctuation=True)
        without, whole = (_left(scores.as_dict(), bare) for scores in (without, whole))
        systems[str(path)] = {**without, "with_punctuation": whole}
        for name, scores in (("without punctuation", without), ("all words", whole)):
            rows.append((str(path), name, *map(scores.get, ("words", "uas", "las", "label_accuracy"))))
    header = ("system", "scored", "words", "UAS %", "LAS %", "relations %")
    if options.rules == "conll2018":
        header = ("system", "score", "right", "of gold", "of system", "aligned", "precision %", "recall %", "F1 %",
                  "of aligned %")  # fmt: skip
    first = next(iter(systems.values()))
    aligned = options.rules == "conll2018"
    outcome = PairedOutcome.aligned(gold, banks) if aligned else PairedOutcome.of(gold, banks, conll2006_counted(gold))
    paired, lines = paired_report(outcome, options.by)
    data = {"rules": options.rules, **first, "systems": systems, **paired, **({"notes": notes} if notes else {})}
    return Report(data, "\n".join([table(rows, header), *lines, *notes]))
