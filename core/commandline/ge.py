"""``ge oracle`` and ``ge train``."""

from argparse import Namespace
from dataclasses import replace
from functools import partial

from core.commandline import reports, texts
from core.commandline.options import LEARNS, READS, Commands, add_actions, add_command, add_settings, settings_of
from core.commandline.values import positive
from core.constraints import (
    GEResult,
    GESettings,
    check_together,
    format_constraints,
    oracle_constraints,
    parse_constraints,
    sequence_constraints,
)
from core.constraints.ge.baselines import attach_left, attach_right, constraint_baseline
from core.constraints.ge.settings import FEATURE_SETS
from core.constraints.ge.training import PRESETS, TEXT_LENGTH, GETrainer
from core.constraints.warming import EXPECTATION, warm_training
from core.errors import WorkbenchError
from core.evaluation import attachment_scores
from core.evaluation.learnt import without_trees_of
from core.shards.folder import Shards
from core.treebank import Treebank
from core.workspace.constraints.record import learnt_sentences, read_record, repeat_record

SCORES = ("right_heads", "scored_words")  # of a record


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
    command = add_command(actions, "train", title, run_train, LEARNS, EXPECTATION)
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


def run_oracle(options: Namespace) -> reports.Report:
    """Write an oracle constraint set (druck2009, section 4.1)."""
    treebank = texts.read(options.file, options)
    template = tuple(part.strip() for part in options.template.split(","))
    count, edges = None if options.all else options.count, options.minimum_edge_count or 0
    constraints = oracle_constraints(
        treebank, count, options.minimum_count, template=template, minimum_edge_count=edges, tags=options.tags
    )
    if options.sequences:
        constraints += sequence_constraints(treebank, options.sequences, tags=options.tags)
    text = format_constraints(constraints)
    return reports.Report({"constraints": text, "count": len(constraints)}, text.rstrip("\n"))


def run_train(options: Namespace) -> reports.Report:
    """Train both feature sets from the constraints, and score them beside the baselines."""
    if options.record:
        return run_record(options)
    if not (options.file and options.constraints):
        raise WorkbenchError("give FILE and --constraints, or the record of a run with --record")
    text = texts.read_text_or_shards(options.file, options, ["limit"])
    treebank = None if isinstance(text, Shards) else text
    lines = texts.read_constraints(options.constraints, text, options)
    constraints, later = lines.constraints, texts.read_constraints(options.then, text, options).constraints
    test, trees = texts.read_given(options.test, options) or treebank, texts.read_given(options.trees, options)
    score = partial(_scores, test, [] if trees is None else [trees], bool(options.test))
    scored = bool(options.test) or (treebank is not None and bool((treebank.heads >= 0).any()))
    systems, chosen = _trained(text, score if scored else None, trees, constraints, later, options)
    if test is not None:
        baseline = partial(constraint_baseline, constraints=constraints, tags=options.tags)
        untrained = {"baseline": baseline, "attach_left": attach_left, "attach_right": attach_right}
        systems |= {name: score(parse) for name, parse in untrained.items()}
    problems = []  # repeated lines, targets that no trees reach, lines that contradict each other
    if lines.matcher is not None:
        together = check_together(constraints, lines.matcher, projective=bool(options.projective))
        problems = [*lines.problems, *together]
    warnings = list(dict.fromkeys(f"line {problem.line}: {problem.message}" for problem in problems))
    main = systems[options.features or GESettings.features]
    data = {**main, "systems": systems, **texts.text_figures(text, options, main)}
    data |= {
        "column": options.tags,
        "expectations": reports.expectation_rows(chosen.expectations, later or constraints),
    }
    data |= {"preset": options.preset, "warnings": warnings}
    if trees is not None:
        data["trees"] = {"sentences": len(trees), "known_heads": int((trees.heads >= 0).sum())}
    if chosen.bracket_levels:
        data["bracket_levels"] = chosen.bracket_levels
    data |= reports.saved(options.out, chosen.model.save)
    return reports.Report(data, _train_text(data, later or constraints))


def _scores(test, taught, is_named, parse):
    """Scores of any parser on the same words: without ``--test`` those of sentences that were not learnt from."""
    parsed = parse(test)
    return texts.scores_of(test, taught, lambda gold: attachment_scores(gold, parsed).as_dict(), is_named)


def _trained(text, score, trees, constraints, later, options):
    """(Figures by feature set, the result of the one that is asked for); the latter retrained with ``later``, if any.

    Of shards the other feature set is left out.
    """
    settings = settings_of(options, PRESETS[options.preset])
    warm_training(settings.projective)
    systems, results = {}, {}
    with texts.engine_of(options, text) as engine:
        for features in FEATURE_SETS if isinstance(text, Treebank) else (settings.features,):
            trainer = _trainer(text, replace(settings, features=features), options, engine)
            progress = reports.every_second(options.progress, lambda state, features=features: (
                f"{features}: iteration {state.iteration}, objective {state.value:.4f}, {state.seconds:.0f} s"
            ))  # fmt: skip
            result = trainer.train(constraints, trees=trees, progress=progress)
            systems[features] = figures = _training_figures(result, score)
            if later and features == settings.features:
                warm = trainer.train(later, trees=trees, start=result.optimum.weights)
                seconds = {"seconds": figures["seconds"], "warm_seconds": warm.seconds}
                figures |= _training_figures(warm, score) | seconds
                result = warm
            results[features] = result
    return systems, results[settings.features]


def _trainer(text, settings, options, engine):
    """The text prepared for training."""
    longest = TEXT_LENGTH if options.preset == "text" else None
    if isinstance(text, Shards):
        longest = min(filter(None, (longest, options.max_length)), default=None)
        return GETrainer(text, settings, engine=engine, longest=longest, punctuation=not options.no_punctuation)
    short = text if longest is None else text.max_length(longest)
    if not len(short):
        raise WorkbenchError(
            f"{options.file}: no sentence has at most {longest} words, which the preset text learns from; choose "
            "another preset"
        )
    return GETrainer(short, settings)


def _training_figures(result, score):
    figures = {} if score is None else score(result.model.parse)
    figures |= {"seconds": result.indexing_seconds + result.seconds, "training_seconds": result.seconds}
    figures |= {"evaluations": result.optimum.evaluations, "objective": float(result.optimum.value)}
    return figures | {"status": result.status, "parameters": len(result.model.weights)}


def _train_text(data, constraints):
    rows = [{**figures, "name": name} for name, figures in data["systems"].items()]
    for row in rows:
        row["seconds"] = f"{row['seconds']:.2f}" if "seconds" in row else None
    scored = f"scored on {data['scored_on']}" if data["scored_on"] else "not scored"
    lines = [f"{data['sentences']} sentences, {data['tokens']} words; {scored}; constraints on "
             f"{data['column'].upper()}", ""]  # fmt: skip
    columns = {"system": "name", "UAS %": "uas", "words": "words", "evaluations": "evaluations", "seconds": "seconds"}
    lines.append(reports.by_keys(rows, columns))
    lines += texts.scores_said(data)
    if "warm_seconds" in data:
        lines.append(f"retrained after the edit in {data['warm_seconds']:.2f} s")
    lines += ["", reports.expectation_table(data["expectations"], constraints)]
    if "bracket_levels" in data:
        lines += ["", f"marked sentences held: {reports.shares(data['bracket_levels'], 'at')}"]
    lines += [f"warning: {warning}" for warning in data["warnings"]]
    return "\n".join(lines)


def run_record(options: Namespace) -> reports.Report:
    """Train as the record says, on FILE or the built-in sample."""
    if options.constraints or options.then:
        raise WorkbenchError("a record has its own constraints; leave out --constraints and --then")
    record = read_record(texts.read_text(options.record), options.record)
    if options.format == "auto":
        options.format = record["text"]["format"]
    if options.encoding == "utf-8":
        options.encoding = record["text"]["encoding"]
    as_then = {"split": "sentencizer"} if record["text"]["format"] == options.format == "text" else {}
    treebank = texts.read(options.file, options, **as_then) if options.file else None
    result, treebank = repeat_record(record, treebank)
    recorded = record["figures"]
    ours = _repeated_figures(result, record)
    learnt = learnt_sentences(record, treebank)
    gold = without_trees_of(treebank, learnt)
    scores = attachment_scores(gold, result.model.parse(treebank), punctuation=False)
    ours |= {"right_heads": scores.heads, "scored_words": scores.words} if scores.words else {}
    apart = max((abs(a - b) for a, b in zip(ours["expectations"], recorded["expectations"], strict=True)), default=0.0)
    data = {**ours, "seconds": result.seconds, "recorded": recorded, "largest_difference": apart}
    if scores.words:
        data["uas"] = scores.uas
    if learnt.any():
        data["learnt_sentences"] = int(learnt.sum())
        if "learnt" not in recorded:  # by an older version, which scored them too
            recorded = {name: value for name, value in recorded.items() if name not in SCORES}
    data |= reports.saved(options.out, result.model.save)
    if record["resumed_from"]:
        data["warning"] = (
            f"the recorded run was interrupted after iteration {record['resumed_from']}, where its search began anew"
        )
    shown = [name for name in ("objective", "evaluations", *SCORES) if name in ours]
    rows = [(name.replace("_", " "), str(ours[name]), str(recorded.get(name, "-"))) for name in shown]
    lines = [reports.table(rows, ("", "now", "recorded")), f"expectations differ by at most {apart:.2g}"]
    lines += [texts.not_scored(int(learnt.sum()))] if learnt.any() else []
    return reports.Report(data, "\n".join([*lines, *([f"warning: {data['warning']}"] if "warning" in data else [])]))


def _repeated_figures(result, record):
    """The figures of a repeated run; 0 is the share of a line that a grammar left out, as in its record."""
    if isinstance(result, GEResult):
        figures = {"objective": float(result.optimum.value), "evaluations": result.optimum.evaluations}
        return figures | {"status": result.status, "expectations": result.expectations.tolist()}
    shares = {line.line: share for line, share in zip(result.constraints, result.expectations.tolist(), strict=True)}
    every = [shares.get(line.line, 0.0) for line in parse_constraints(record["constraints"])]
    return {"objective": result.dual, "status": result.status, "expectations": every}
