"""``ge oracle`` and ``ge train``."""

import hashlib
from argparse import Namespace
from dataclasses import replace
from functools import partial

from core.commandline import reports, texts
from core.commandline.options import (
    LEARNS,
    READS,
    Commands,
    add_actions,
    add_command,
    add_settings,
    different_from_paper,
    settings_of,
)
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
from core.constraints.ge.settings import FEATURE_SETS, NO_SETTINGS
from core.constraints.ge.training import PRESETS, TEXT_LENGTH, GETrainer
from core.constraints.warming import EXPECTATION, warm_training
from core.errors import WorkbenchError
from core.evaluation import attachment_scores
from core.evaluation.learnt import without_trees_of
from core.evaluation.scores import percent
from core.shards.folder import Shards
from core.treebank import Treebank
from core.workspace.constraints.record import differing_trees, is_edited, learnt_sentences, read_record, repeat_record
from core.workspace.scoring import ScoreConditions

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
                         help="paper: all it states; best: ours; text: ours for text without trees in a language "
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
    settings = settings_of(options, PRESETS[options.preset])
    systems, chosen = _trained(text, settings, score if scored else None, trees, constraints, later, options)
    if test is not None:
        baseline = partial(constraint_baseline, constraints=constraints, tags=options.tags)
        untrained = {"baseline": baseline, "attach_left": attach_left, "attach_right": attach_right}
        systems |= {name: score(parse) for name, parse in untrained.items()}
    problems = []  # repeated lines, targets that no trees reach, lines that contradict each other
    if lines.matcher is not None:
        together = check_together(constraints, lines.matcher, projective=bool(options.projective))
        problems = [*lines.problems, *together]
    warnings = list(dict.fromkeys(f"line {problem.line}: {problem.message}" for problem in problems))
    main = systems[settings.features]
    data = {**main, "systems": systems, **texts.text_figures(text, options, main)}
    data |= {
        "column": options.tags,
        "expectations": reports.expectation_rows(chosen.expectations, later or constraints),
    }
    data |= {"preset": options.preset, "different_from_paper": different_from_paper(settings, NO_SETTINGS)}
    data["warnings"] = warnings
    if trees is not None:
        data["trees"] = {"sentences": len(trees), "known_heads": int((trees.heads >= 0).sum())}
    if chosen.bracket_levels:
        data["bracket_levels"] = chosen.bracket_levels
    data |= reports.saved(options.out, chosen.model.save)
    return reports.Report(data, _train_text(data, later or constraints))


def _scores(test, taught, is_named, parse):
    """Scores of any parser on the same words: without ``--test`` those of sentences that were not learnt from."""
    parsed = parse(test)
    return texts.scores_of(test, taught, lambda gold: texts.attachment(gold, parsed), is_named)


def _trained(text, settings, score, trees, constraints, later, options):
    """(Figures by feature set, the result of the one that is asked for); the latter retrained with ``later``, if any.

    Of shards the other feature set is left out.
    """
    warm_training(settings.projective)
    systems, results = {}, {}
    with texts.engine_of(options, text) as engine:
        beside = FEATURE_SETS if isinstance(text, Treebank) else ()
        for features in dict.fromkeys((*beside, settings.features)):
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
    rows = [{**texts.beside(figures), "name": name} for name, figures in data["systems"].items()]
    for row in rows:
        row["seconds"] = f"{row['seconds']:.2f}" if "seconds" in row else None
    scored = f"scored on {data['scored_on']}" if data["scored_on"] else "not scored"
    lines = [f"{reports.extent(data['sentences'], data['tokens'])}; {scored}; constraints on "
             f"{data['column'].upper()}", ""]  # fmt: skip
    columns = {"system": "name", "UAS %": "uas", "without punctuation": "bare", "words": "words"}
    columns |= {"evaluations": "evaluations", "seconds": "seconds"}
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
    result, treebank = repeat_record(record, _text_of(record, options) if options.file else None)
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
    warnings = []
    if is_edited(record):
        warnings.append(
            f"{options.record} was edited since it was saved: this trained what it says now, and what it recorded may "
            "be of other settings"
        )
    if record["resumed_from"]:
        warnings.append(
            f"the recorded run was interrupted after iteration {record['resumed_from']}, where its search began anew"
        )
    if difference := differing_trees(record, treebank):
        warnings.append(
            f"{difference}, from those of run {record['run']}: the parser is the same, the score may be another"
        )
    if warnings:
        data["warning"] = "; ".join(warnings)
    shown = [name for name in ("objective", "evaluations", *SCORES) if name in ours]
    rows = [(name.replace("_", " "), str(ours[name]), str(recorded.get(name, "-"))) for name in shown]
    if scores.words:
        rows.append(("UAS %", f"{scores.uas:.1f}", _recorded_uas(recorded)))
    lines = [reports.table(rows, ("", "now", "recorded")), f"expectations differ by at most {apart:.2g}"]
    if scores.words:
        of = ScoreConditions(sentences=scores.sentences, learnt=int(learnt.sum()))
        data["conditions"] = of.basis
        lines.append(f"scored {of.basis}")
    elif learnt.any():
        lines.append(texts.not_scored(int(learnt.sum())))
    return reports.Report(data, "\n".join([*lines, *(f"warning: {warning}" for warning in warnings)]))


def _recorded_uas(recorded):
    """The UAS of a record's counts, as text; a dash where it has none."""
    uas = percent(recorded.get("right_heads", 0), recorded.get("scored_words", 0))
    return "-" if uas is None else f"{uas:.1f}"


def _text_of(record, options):
    """FILE, read as the record says if it is the file as it was uploaded; what was exported of it is CoNLL-U."""
    about = record["text"]
    digest = hashlib.sha256(texts.readable(options.file).read_bytes()).hexdigest()
    if digest != about["file_sha256"] and options.file.lower().endswith(".conllu"):
        return texts.read(options.file, options)
    if options.format == "auto":
        options.format = about["format"]
    if options.encoding == "utf-8":
        options.encoding = about["encoding"]
    as_then = {"split": "sentencizer"} if about["format"] == options.format == "text" else {}
    return texts.read(options.file, options, **as_then)


def _repeated_figures(result, record):
    """The figures of a repeated run; 0 is the share of a line that a grammar left out, as in its record."""
    if isinstance(result, GEResult):
        figures = {"objective": float(result.optimum.value), "evaluations": result.optimum.evaluations}
        return figures | {"status": result.status, "expectations": result.expectations.tolist()}
    shares = {line.line: share for line, share in zip(result.constraints, result.expectations.tolist(), strict=True)}
    every = [shares.get(line.line, 0.0) for line in parse_constraints(record["constraints"])]
    return {"objective": result.dual, "status": result.status, "expectations": every}
