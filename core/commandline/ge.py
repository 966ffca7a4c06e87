"""``ge oracle`` and ``ge train``."""

from argparse import Namespace
from dataclasses import replace
from functools import partial

from core.commandline.options import (
    READS,
    SPREADS,
    TRAINS,
    Commands,
    add_actions,
    add_command,
    add_settings,
    settings_of,
)
from core.commandline.record import run_record
from core.commandline.reports import Report, every_second, expectation_rows, expectation_table, table
from core.commandline.texts import engine_of, read, read_constraints, read_given, read_text_or_shards, text_figures
from core.commandline.values import positive
from core.constraints import (
    GESettings,
    check_constraints,
    check_together,
    format_constraints,
    oracle_constraints,
    sequence_constraints,
)
from core.constraints.baselines import attach_left, attach_right, constraint_baseline
from core.constraints.ge_settings import FEATURE_SETS
from core.constraints.ge_shards import ShardedArcs
from core.constraints.train import PRESETS, TEXT_LENGTH, GETrainer
from core.errors import WorkbenchError
from core.evaluation import attachment_scores
from core.shards.folder import Shards
from core.treebank import Treebank
from core.warm import warm_training


def add_commands(commands: Commands) -> None:
    """Add ``ge`` and its two actions to the command line."""
    actions = add_actions(commands, "ge", "generalized-expectation constraints (druck2009)")

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

    title = "train a parser from constraints on unparsed text"
    command = add_command(actions, "train", title, run_train, TRAINS + SPREADS, "ge")
    command.add_argument(
        "file", metavar="FILE", nargs="?", help="or a folder of shards; not needed where a record is of the sample"
    )
    command.add_argument("--constraints", metavar="C", help="a file of constraints")
    command.add_argument("--record", metavar="R", help="repeat the run whose record the Constraints page saved")
    command.add_argument("--then", metavar="C2", help="retrain warm with these constraints afterwards")
    command.add_argument("--trees", metavar="FILE",
                         help="learn from its heads too, read as FILE is; _ where one is not known")  # fmt: skip
    command.add_argument("--preset", choices=tuple(PRESETS), default="best",
                         help="paper: its strengths; best: ours; text: ours for text without trees in a language "
                         f"whose arcs hardly cross: projective trees of at most {TEXT_LENGTH} words")  # fmt: skip
    add_settings(command, GESettings)


def run_oracle(options: Namespace) -> Report:
    """Write an oracle constraint set (druck2009, section 4.1)."""
    treebank = read(options.file, options)
    template = tuple(part.strip() for part in options.template.split(","))
    count, edges = None if options.all else options.count, options.minimum_edge_count or 0
    constraints = oracle_constraints(
        treebank, count, options.minimum_count, template=template, minimum_edge_count=edges, tags=options.tags
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
    constraints = read_constraints(options.constraints, text, options)
    later = read_constraints(options.then, text, options)
    test, trees = read_given(options.test, options) or treebank, read_given(options.trees, options)
    systems, chosen = _trained(text, test, trees, constraints, later, options)
    if test is not None:
        baseline = partial(constraint_baseline, constraints=constraints, tags=options.tags)
        untrained = {"baseline": baseline, "attach_left": attach_left, "attach_right": attach_right}
        systems |= {name: attachment_scores(test, parse(test)).as_dict() for name, parse in untrained.items()}
    data = {
        **systems[options.features or GESettings.features],
        "systems": systems,
        **text_figures(text, options),
        "column": options.tags,
        "expectations": expectation_rows(chosen, later or constraints),
        "preset": options.preset,
        "warnings": [] if treebank is None else _warnings(constraints, treebank, options),
    }
    if trees is not None:
        data["trees"] = {"sentences": len(trees), "known_heads": int((trees.heads >= 0).sum())}
    if chosen.bracket_levels:
        data["bracket_levels"] = chosen.bracket_levels
    if options.out:
        chosen.model.save(options.out)
        data["out"] = str(options.out)
    return Report(data, _train_text(data, later or constraints))


def _trained(text, test, trees, constraints, later, options):
    """(Figures by feature set, the result of the one that is asked for); the latter retrained with ``later``, if any.

    Of shards the other feature set is left out.
    """
    scored = test if options.test or (isinstance(text, Treebank) and (text.heads >= 0).any()) else None
    settings = settings_of(options, PRESETS[options.preset])
    warm_training(settings.projective)
    systems, results = {}, {}
    with engine_of(options, text) as engine:
        for features in FEATURE_SETS if isinstance(text, Treebank) else (settings.features,):
            trainer = _trainer(text, replace(settings, features=features), options, engine)
            progress = every_second(options.progress, lambda state, features=features: (
                f"{features}: iteration {state.iteration}, objective {state.value:.4f}, {state.seconds:.0f} s"
            ))  # fmt: skip
            result = trainer.train(constraints, trees=trees, progress=progress)
            systems[features] = figures = _training_figures(result, scored)
            if later and features == settings.features:
                warm = trainer.train(later, trees=trees, start=result.optimum.weights)
                seconds = {"seconds": figures["seconds"], "warm_seconds": warm.seconds}
                figures |= _training_figures(warm, scored) | seconds
                result = warm
            results[features] = result
    return systems, results[settings.features]


def _trainer(text, settings, options, engine):
    """The text prepared for training."""
    longest = TEXT_LENGTH if options.preset == "text" else None
    if isinstance(text, Shards):
        longest = min(filter(None, (longest, options.max_length)), default=None)
        return GETrainer(ShardedArcs(text, settings, engine, longest, not options.no_punctuation), settings)
    short = text if longest is None else text.max_length(longest)
    if not len(short):
        raise WorkbenchError(
            f"{options.file}: no sentence has at most {longest} words, which the preset text learns from; choose "
            "another preset"
        )
    return GETrainer(short, settings)


def _warnings(constraints, treebank, options):
    """What is odd about the set: repeated lines, targets that no trees reach, lines that contradict each other."""
    problems = check_constraints(format_constraints(constraints), treebank, options.tags)[1]
    problems += check_together(constraints, treebank, projective=bool(options.projective), tags=options.tags)
    return list(dict.fromkeys(f"line {problem.line}: {problem.message}" for problem in problems))


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


def _train_text(data, constraints):
    rows = [
        (name, figures.get("uas"), figures.get("words"), figures.get("evaluations"), seconds and f"{seconds:.2f}")
        for name, figures in data["systems"].items()
        for seconds in [figures.get("seconds")]
    ]
    lines = [f"{data['sentences']} sentences, {data['tokens']} words; scored on {data['scored_on']}; constraints "
             f"on {data['column'].upper()}", ""]  # fmt: skip
    lines.append(table(rows, ("system", "UAS %", "words", "evaluations", "seconds")))
    if "warm_seconds" in data:
        lines.append(f"retrained after the edit in {data['warm_seconds']:.2f} s")
    lines += ["", expectation_table(data["expectations"], constraints)]
    if "bracket_levels" in data:
        held = ", ".join(f"{count:,} at {level}" for level, count in data["bracket_levels"].items() if count)
        lines += ["", f"marked sentences held: {held}"]
    lines += [f"warning: {warning}" for warning in data["warnings"]]
    return "\n".join(lines)
