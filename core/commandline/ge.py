"""``ge oracle`` and ``ge train``."""

from argparse import Namespace
from dataclasses import replace
from functools import partial
from typing import Any

from core.commandline.common import (
    READS,
    TRAINS,
    Report,
    add_command,
    add_engine_options,
    engine_of,
    every_second,
    expectation_rows,
    expectation_table,
    positive,
    read,
    read_constraints,
    read_text_or_shards,
    table,
    weight,
)
from core.commandline.record import run_record
from core.constraints import (
    check_constraints,
    check_together,
    format_constraints,
    oracle_constraints,
    sequence_constraints,
)
from core.constraints.baselines import attach_left, attach_right, constraint_baseline
from core.constraints.ge_shards import ShardedGETrainer
from core.constraints.penalties import PENALTIES
from core.constraints.train import PRESETS, TEXT_LENGTH, GETrainer
from core.errors import WorkbenchError
from core.evaluation import attachment_scores
from core.parsers.crf.distribution import COVARIANCES, DECODINGS
from core.shards.folder import Shards
from core.trees.brackets import LEVELS
from core.warm import warm_training

FEATURE_SETS = ("full", "restricted")


def add_commands(commands: Any) -> None:
    """Add ``ge`` and its two actions to the command line."""
    ge = commands.add_parser("ge", help="generalized-expectation constraints (druck2009)")
    actions = ge.add_subparsers(required=True, metavar="ACTION")

    command = add_command(actions, "oracle", "constraints with targets counted in a treebank", run_oracle, READS)
    command.add_argument("file", metavar="FILE")
    command.add_argument("--count", type=positive, default=20, help="how many (default: 20)")
    command.add_argument("--minimum-count", type=positive, default=15, help="least number of candidates (default: 15)")
    command.add_argument(
        "--template", default="head,modifier,direction", help="head,modifier,direction[,distance] (the default without)"
    )
    command.add_argument("--minimum-edge-count", type=positive, metavar="N", help="least number of edges (default: 0)")
    command.add_argument("--all", action="store_true", help="all of them, instead of --count")
    command.add_argument("--sequences", type=positive, metavar="N",
                         help="and N on tags between or around the two words, where they alone say little")  # fmt: skip

    command = add_command(actions, "train", "train a parser from constraints on unparsed text", run_train, TRAINS, "ge")
    command.add_argument(
        "file", metavar="FILE", nargs="?", help="or a folder of shards; not needed where a record is of the sample"
    )
    command.add_argument("--constraints", metavar="C", help="a file of constraints")
    command.add_argument("--record", metavar="R", help="repeat the run whose record the Constraints page saved")
    command.add_argument("--then", metavar="C2", help="retrain warm with these constraints afterwards")
    command.add_argument("--features", choices=FEATURE_SETS, default="full")
    command.add_argument("--covariance", choices=COVARIANCES, default="exact")
    command.add_argument("--projective", action="store_true", help="projective trees only")
    command.add_argument("--score", choices=tuple(PENALTIES), help="distance from a target (default: squared)")
    command.add_argument("--decoding", choices=DECODINGS,
                         help="which trees: the most probable (best), of those without crossing arcs (projective), or "
                         "with most right heads expected (posterior); default: the preset's")  # fmt: skip
    command.add_argument("--trees", metavar="FILE",
                         help="learn from its heads too, read as FILE is; _ where one is not known")  # fmt: skip
    command.add_argument("--complete-weight", type=weight, metavar="W", help="of a complete tree there (default: 1)")
    command.add_argument("--partial-weight", type=weight, metavar="W", help="of a partial tree there (default: 1)")
    command.add_argument("--brackets", choices=LEVELS, default="none",
                         help="level at which trees should respect the # markup comments of FILE")  # fmt: skip
    command.add_argument(
        "--brackets-weight", type=weight, metavar="W", help="of the mean log-probability that they do (default: 1)"
    )
    command.add_argument("--preset", choices=tuple(PRESETS), default="best",
                         help="paper: its strengths; best: ours; text: ours for text without trees in a language "
                         f"whose arcs hardly cross: projective trees of at most {TEXT_LENGTH} words")  # fmt: skip
    add_engine_options(command)


def run_oracle(options: Namespace) -> Report:
    """Write an oracle constraint set (druck2009, section 4.1)."""
    treebank = read(options.file, options)
    template = tuple(part.strip() for part in options.template.split(","))
    constraints = oracle_constraints(
        treebank,
        count=None if options.all else options.count,
        minimum_count=options.minimum_count,
        template=template,
        minimum_edge_count=options.minimum_edge_count or 0,
        tags=options.tags,
    )
    if options.sequences:
        constraints += sequence_constraints(treebank, options.sequences, tags=options.tags)
    text = format_constraints(constraints)
    return Report({"constraints": text, "count": len(constraints)}, text.rstrip("\n"))


def run_train(options: Namespace) -> Report:
    """Train both feature sets from the constraints, and score them beside the baselines."""
    if options.record:
        return run_record(options)
    if not (options.file and options.constraints):
        raise WorkbenchError("give FILE and --constraints, or the record of a run with --record")
    text = read_text_or_shards(options.file, options, ["limit"])
    treebank = None if isinstance(text, Shards) else text
    test = read(options.test, options) if options.test else treebank
    scored = test if options.test or (treebank is not None and (treebank.heads >= 0).any()) else None
    constraints = read_constraints(options.constraints, treebank, options)
    later = read_constraints(options.then, treebank, options) if options.then else None
    trees = read(options.trees, options) if options.trees else None
    settings = _settings(options)
    warm_training(settings.projective)
    systems, results = {}, {}
    with engine_of(options, text) as engine:
        for features in (options.features,) if treebank is None else FEATURE_SETS:
            trainer = _trainer(text, replace(settings, features=features), options, engine)
            progress = every_second(options.progress, partial(_stands, features))
            result = trainer.train(constraints, trees=trees, progress=progress)
            systems[features] = _training_figures(result, scored)
            if features == options.features:
                result = _retrained(systems[features], trainer, result, later, trees, scored)
            results[features] = result
    chosen = results[options.features]
    systems |= {} if test is None else _baselines(test, constraints, options)
    if options.out:
        chosen.model.save(options.out)
    sharded = isinstance(text, Shards)
    warnings = [] if sharded else _warnings(constraints, text, options)
    data = {
        **systems[options.features],
        "systems": systems,
        "sentences": text.sentences if sharded else len(text),
        "tokens": text.words if sharded else text.token_count,
        "expectations": expectation_rows(chosen, later or constraints),
        "scored_on": str(options.test) if options.test else "training text",
        "preset": options.preset,
        "warnings": warnings,
    }
    if trees is not None:
        data["trees"] = {"sentences": len(trees), "known_heads": int((trees.heads >= 0).sum())}
    if chosen.bracket_levels:
        data["bracket_levels"] = chosen.bracket_levels
    if options.out:
        data["out"] = str(options.out)
    return Report(data, _train_text(data, later or constraints))


def _trainer(text, settings, options, engine):
    """The text prepared for training."""
    longest = TEXT_LENGTH if options.preset == "text" else None
    if isinstance(text, Shards):
        longest = min(filter(None, (longest, options.max_length)), default=None)
        return ShardedGETrainer(text, settings, engine, longest, not options.no_punctuation)
    chosen = text if longest is None else text.max_length(longest)
    if not len(chosen):
        raise WorkbenchError(
            f"{options.file}: no sentence has at most {longest} words, which the preset text learns from; choose "
            "another preset"
        )
    return GETrainer(chosen, settings)


def _baselines(test, constraints, options):
    """Scores of what needs no training."""
    parsers = {
        "baseline": partial(constraint_baseline, constraints=constraints, tags=options.tags),
        "attach_left": attach_left,
        "attach_right": attach_right,
    }
    return {name: attachment_scores(test, parse(test)).as_dict() for name, parse in parsers.items()}


def _settings(options):
    """The preset with the options given beside it."""
    said = ("tags", "covariance", "projective", "score", "decoding", "complete_weight", "partial_weight",
            "brackets", "brackets_weight")  # fmt: skip
    changes = {name: getattr(options, name) for name in said}
    changes["projective"] = options.projective or None
    return replace(PRESETS[options.preset], **{name: value for name, value in changes.items() if value is not None})


def _stands(features, state):
    return f"{features}: iteration {state.iteration}, objective {state.value:.4f}, {state.seconds:.0f} s"


def _warnings(constraints, treebank, options):
    """What is odd about the set: repeated lines, targets that no trees reach, lines that contradict each other."""
    problems = check_constraints(format_constraints(constraints), treebank, options.tags)[1]
    problems += check_together(constraints, treebank, projective=options.projective, tags=options.tags)
    unique = {(problem.line, problem.message): None for problem in problems}
    return [f"line {line}: {message}" for line, message in unique]


def _training_figures(result, scored):
    scores = {} if scored is None else attachment_scores(scored, result.model.parse(scored)).as_dict()
    return {
        **scores,
        "seconds": result.indexing_seconds + result.seconds,
        "training_seconds": result.seconds,
        "evaluations": result.optimum.evaluations,
        "objective": float(result.optimum.value),
        "status": result.status,
        "parameters": len(result.model.weights),
    }


def _retrained(figures, trainer, result, later, trees, scored):
    """The result after ``--then``, with its figures added; the result itself without."""
    if later is None:
        return result
    warm = trainer.train(later, trees=trees, start=result.optimum.weights)
    after = _training_figures(warm, scored)
    after["seconds"] = figures["seconds"]
    figures.update(after, warm_seconds=warm.seconds)
    return warm


def _train_text(data, constraints):
    rows = [
        (name, figures.get("uas"), figures.get("words"), figures.get("evaluations"), figures.get("seconds"))
        for name, figures in data["systems"].items()
    ]
    rows = [(*row[:4], None if row[4] is None else f"{row[4]:.2f}") for row in rows]
    lines = [f"{data['sentences']} sentences, {data['tokens']} words; scored on {data['scored_on']}", ""]
    lines.append(table(rows, ("system", "UAS %", "words", "evaluations", "seconds")))
    if "warm_seconds" in data:
        lines.append(f"retrained after the edit in {data['warm_seconds']:.2f} s")
    lines += ["", expectation_table(data["expectations"], constraints)]
    if "bracket_levels" in data:
        held = ", ".join(f"{count:,} at {level}" for level, count in data["bracket_levels"].items() if count)
        lines += ["", f"marked sentences held: {held}"]
    lines += [f"warning: {warning}" for warning in data["warnings"]]
    return "\n".join(lines)
