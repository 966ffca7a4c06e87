"""``scl``: adapt a parser to a domain without a treebank (shimizu2007)."""

from argparse import Namespace
from collections import Counter
from functools import partial

from core.adaptation import AdaptedParser, StructuralCorrespondence
from core.adaptation.findings import changed_edges, direction_findings, pivot_findings
from core.adaptation.pivots import by_words, load_pivots, parse_pivots, usual_pivots
from core.adaptation.settings import NO_SETTINGS, CorrespondenceSettings
from core.adaptation.systems import FEW, NONE, SCL, AdaptationTask, adapt, train_system
from core.adaptation.warming import ADAPTATION
from core.commandline.long_sentences import LEFT_OUT, warn_of_long
from core.commandline.options import (
    READS,
    SPREADS,
    Commands,
    add_command,
    add_preset,
    add_settings,
    different_from_paper,
    settings_of,
)
from core.commandline.reports import Report, by_keys, p_value, saved
from core.commandline.texts import (
    engine_of,
    language_of,
    read,
    read_given,
    read_text,
    read_text_or_shards,
    warn_of_learnt,
)
from core.commandline.values import positive, whole
from core.errors import WorkbenchError
from core.evaluation import sign_test
from core.extras import require
from core.languages import language_code
from core.settings import PAPER
from core.treebank import Treebank, write_conllu

TEXT = "target"
OF_FILES = ("no_punctuation", "max_length", "limit")
SHOWN = 5  # features of a pivot, changed edges


def add_commands(commands: Commands) -> None:
    """Add ``scl`` to the command line."""
    help = "adapt a parser to another domain from its unlabelled text (shimizu2007)"
    command = add_command(commands, "scl", help, run_scl, READS + SPREADS, ADAPTATION)
    command.add_argument("source", metavar="SOURCE", help="treebank to train on")
    command.add_argument(
        "unlabelled", metavar="UNLABELED", help="text of the target domain, or shards of it; trees are not looked at"
    )
    command.add_argument("test", metavar="TARGET_TEST", help="treebank of the target domain to score on")
    command.add_argument("--epochs", type=positive, default=4, help="iterations of training (default: 4)")
    command.add_argument("--few", metavar="FILE", help="a treebank of the target, for source + a few target sentences")
    command.add_argument("--few-limit", type=positive, default=50, metavar="N", help="how many of them (default: 50)")
    command.add_argument("--rounds", type=whole, default=1, help="of self-training; 0 leaves it out (default: 1)")
    command.add_argument("--no-baselines", action="store_true", help="train the adapted parser alone")
    command.add_argument("--out", metavar="FILE", help="write the adapted parser's trees here (CoNLL-U)")
    command.add_argument("--save", metavar="M", help="keep the adapted parser, for parse --model M")
    command.add_argument("--unlabeled-format", metavar="NAME", help="format of UNLABELED where it is another")
    add_preset(command, "its pivots are decided by words")
    group = add_settings(command, CorrespondenceSettings(), only_given=True)["correspondence"]
    group.add_argument("--pivots", metavar="FILE", help="lines such as: preposition = upos:ADP of in on")
    group.add_argument(
        "--decide", choices=("tags", "words"), help="what decides whether a pivot holds (default: tags, where all text "
        "has them)",
    )  # fmt: skip
    group.add_argument(
        "--scale", type=float, nargs="+", metavar="X", help="times induced features (default: 0.3); several compare"
    )


def run_scl(options: Namespace) -> Report:
    """Train every system on SOURCE and score it on TARGET_TEST after each iteration."""
    require("adaptation")
    source, test = read(options.source, options), read(options.test, options)
    warn_of_long(test, options, LEFT_OUT)
    if not (test.heads >= 0).any():
        raise WorkbenchError(f"{options.test} has no trees to score on; give a treebank of the target domain")
    format = options.unlabeled_format or options.format
    unlabelled = read_text_or_shards(options.unlabelled, Namespace(**{**vars(options), "format": format}), OF_FILES)
    few = read_given(options.few, options)
    few = few and few.limit(options.few_limit)
    untrained = correspondence(options, source)
    settings = untrained.settings
    task = AdaptationTask(source, {TEXT: test}, options.tags, options.epochs, settings.seed, say=options.progress)
    with engine_of(options, unlabelled) as engine:
        chosen = {"few": few, "rounds": options.rounds, "baselines": not options.no_baselines}
        result = adapt(task, unlabelled, untrained, **chosen, engine=engine)
    base = result.systems.get(NONE)
    systems = {name: _figures(system, test, base) for name, system in result.systems.items()}
    scl = result.systems[SCL]
    scales = {f"{settings.scale:g}": systems[SCL]["iterations"][-1]}
    for scale in (options.scale or ())[1:]:
        other = train_system(task, f"{SCL}, scale {scale:g}", correspondence=scl.correspondence.scaled(scale))
        scales[f"{scale:g}"] = _iterations(other)[-1]
    data = {
        **{name: value for name, value in systems[SCL].items() if name != "seconds"},
        "systems": systems,
        "scored_on": str(options.test),
        "few_target_sentences": len(few or ()) if FEW in systems else 0,
        "dimensions": scl.correspondence.trained().dimensions,
        "singular_values": [direction.singular_value for direction in direction_findings(scl.correspondence, 1)],
        "pivots": [
            {name: getattr(pivot, name) for name in ("name", "by", "right", "majority")}
            | dict(zip(("source", "target"), pivot.counts, strict=True))
            | {"strongest": [name for name, _ in pivot.strongest]}
            for pivot in pivot_findings(scl.correspondence, SHOWN)
        ],
        "scales": scales,
        "skipped": scl.parser.skipped,
        "notes": list(result.notes),
        "different_from_paper": _differences(options, settings),
        "seconds": scl.seconds,
    }
    if base is not None:
        edges = changed_edges(test, base.parsed[TEXT], scl)
        verdicts = Counter(sorted(edge.verdict for edge in edges))
        share = sum(edge.share for edge in edges) / len(edges) if edges else None
        data["changed"] = {"words": len(edges), **verdicts, "mean_induced_share": share}
    data |= saved(options.out, partial(write_conllu, scl.parsed[TEXT].to_conllu()))
    data |= saved(options.save, AdaptedParser(scl.parser, scl.correspondence.trained()).save, "model")
    warning = warn_of_learnt(data, test, *(text for text in (source, few) if text is not None))
    return Report(data, _text(data) + warning)


def correspondence(options: Namespace, source: Treebank) -> StructuralCorrespondence:
    """The untrained correspondence that options ask for.

    Its pivots are those of ``--language``, else of the language of the source, else what its tags or words tell.
    """
    frequent, decide = 0, options.decide or ("words" if options.preset == PAPER else "tags")
    if options.pivots:
        pivots = parse_pivots(read_text(options.pivots), options.pivots)
    elif options.language:
        pivots = load_pivots(language_code(options.language))
    else:
        language, frequent = usual_pivots(source, language_of(source, options))
        pivots = load_pivots(language)
    more: dict = {"scale": options.scale[0]} if options.scale else {}
    if options.between is None and options.preset != PAPER:
        more["between"] = frequent
    settings = settings_of(options, CorrespondenceSettings(), **more)
    return StructuralCorrespondence(by_words(pivots) if decide == "words" else pivots, **vars(settings))


def _differences(options, settings):
    decided = options.decide == "tags" or (options.decide is None and options.preset != PAPER)
    return ["decide tags (paper: words)"] * decided + different_from_paper(settings, NO_SETTINGS)


def _figures(system, test, base):
    iterations = _iterations(system)
    figures = {"iterations": iterations, "seconds": system.seconds, **iterations[-1]}
    if base is not None and system is not base:
        heads = sign_test(test, base.parsed[TEXT], system.parsed[TEXT])
        figures |= {"p_value": heads.p_value, "words_better": heads.only_second, "words_worse": heads.only_first}
    return figures


def _iterations(system):
    if not system.scores[TEXT]:
        raise WorkbenchError("training ended before its first iteration; train again")
    return [scores.as_dict() for scores in system.scores[TEXT]]


def _text(data):
    systems = data["systems"].items()
    rows = [
        {"name": name, "number": number, **scores}
        for name, system in systems
        for number, scores in enumerate(system["iterations"], start=1)
    ]
    figures = {"LAS %": "las", "UAS %": "uas"}
    lines = [by_keys(rows, {"system": "name", "iteration": "number", **figures, "labels %": "label_accuracy"}), ""]
    rows = [{**system, "name": name, "p": p_value(system)} for name, system in systems]
    lines += [by_keys(rows, {"heads against none": "name", "p": "p", "better": "words_better", "worse": "words_worse"})]
    columns = {"pivot": "name", "by": "by", "source edges": "source", "target edges": "target"}
    lines += ["", by_keys(data["pivots"], columns | {"predicted %": "right", "majority %": "majority"}), ""]
    if len(data["scales"]) > 1:
        rows = [{"scale": scale, **scores} for scale, scores in data["scales"].items()]
        lines += [by_keys(rows, {"scale of induced features": "scale", **figures}), ""]
    lines += [f"note: {note}" for note in data["notes"]]
    lines.append(f"{data['dimensions']} induced features; adapted in {data['seconds']:.1f} s")
    return "\n".join(lines)
