"""``curve``: how accuracy grows by trees, by words of text or by lines, and what more would bring."""

import time
from argparse import Namespace

from core.commandline.options import READS, Commands, add_command
from core.commandline.reports import Report, saved, table, write_text
from core.commandline.texts import read, read_constraints, read_given
from core.commandline.values import percent, positive, sizes
from core.errors import WorkbenchError
from core.evaluation import Extrapolation, fit_curve
from core.experiments.curves import LEARNERS, UNITS, default_sizes, learner_named, measure, prepare, reporting


def add_commands(commands: Commands) -> None:
    """Add ``curve`` to the command line."""
    command = add_command(commands, "curve", "a learning curve, and what more would bring", run_curve, READS)
    command.add_argument("file", metavar="FILE", help="sentences to learn from, with trees to score on")
    command.add_argument("--by", choices=UNITS, required=True, help="what grows")
    named = "; ".join(f"{by}: {', '.join(learner.name for learner in LEARNERS if learner.by == by)}" for by in UNITS)
    command.add_argument("--learner", metavar="NAME", help=f"what learns, the first by default ({named})")
    command.add_argument("--constraints", metavar="C", help="a file of constraints")
    command.add_argument("--test", metavar="FILE", help="treebank to score on (default: every fifth tree of FILE)")
    command.add_argument("--sizes", type=sizes, metavar="N,N", help="such as 10,25,50 (default: up to all there is)")
    command.add_argument("--draws", type=positive, default=3, help="random draws of each size (default: 3)")
    command.add_argument("--seed", type=int, default=0, help="seed of the draws, of training and the bootstrap")
    command.add_argument(
        "--more", type=positive, metavar="N", help="how much more to ask about (default: as much again)"
    )
    command.add_argument("--accuracy", type=percent, metavar="A", help="how much an accuracy of A %% takes")
    command.add_argument("--out", metavar="CSV", help="write the points and the fit here")
    command.add_argument("--figure", metavar="SVG", help="write the figure here")


def run_curve(options: Namespace) -> Report:
    """Measure, fit, and say what more would bring."""
    learner = learner_named(options.by, options.learner, lines=bool(options.constraints))
    if learner.lines and not options.constraints:
        raise WorkbenchError(f"a {learner.title} learns from lines; give a file of them as --constraints")
    text = read(options.file, options)
    lines = read_constraints(options.constraints, text, options).constraints
    material = prepare(text, learner, test=read_given(options.test, options), lines=lines, tags=options.tags)
    growing = options.sizes or default_sizes(options.by, material.total)
    began = time.perf_counter()
    measured = measure(
        material, growing, options.draws, seed=options.seed,
        progress=lambda point: options.progress(
            f"{point.size:,} {options.by}, draw {point.draw + 1}: {point.accuracy:.1f}% of heads right"
        ),
    )  # fmt: skip
    fit = fit_curve(measured.curve, seed=options.seed)
    rows, more = reporting.rows_of(measured.curve, fit), options.more or growing[-1]
    gain = fit.gain(more) if isinstance(fit, Extrapolation) else fit
    scored = str(options.test) if options.test else f"{len(material.test)} sentences held out"
    data = {"by": options.by, "learner": learner.name, "scored_on": scored, "words": measured.words, "points": rows}
    data |= {"fit": reporting.fit_dict(fit), "gain": {"more": more, **reporting.interval_dict(gain)}}
    data |= {"skipped": list(material.skipped), "seconds": time.perf_counter() - began}
    if options.accuracy is not None:
        needed = fit.needed(options.accuracy) if isinstance(fit, Extrapolation) else fit
        data["needed"] = {"accuracy": options.accuracy, **reporting.interval_dict(needed)}
    data |= saved(options.out, lambda path: write_text(path, reporting.curve_csv(measured.curve, fit, measured.words)))
    if options.figure:
        from core.draw.learning_curve import learning_curve_svg

        svg = learning_curve_svg(measured.curve, fit, f"{learner.title}: {reporting.conditions(measured.words)}")
        data |= saved(options.figure, lambda path: write_text(path, svg), "figure")
    return Report(data, _text(data, material, fit, options))


def _text(data, material, fit, options):
    scored = data["scored_on"]
    if material.held_out:
        scored = f"{scored}: every fifth tree of {options.file}, which is not learnt from"
    shown = [
        (f"{row['size']:,}", "extrapolated" if row["extrapolated"] else f"{row['draws']} drawn", row["mean"],
         row["spread"], row["fitted"], row["low"], row["high"])
        for row in data["points"]
    ]  # fmt: skip
    parts = [
        f"{material.learner.title}, {reporting.conditions(data['words'])}",
        f"scored on {scored}",
        "",
        table(shown, (data["by"], "", "mean", "spread", "fitted", "low", "high")),
        "",
        reporting.fit_sentence(fit, data["words"]),
    ]
    if isinstance(fit, Extrapolation):
        parts.append(reporting.gain_sentence(fit, data["gain"]["more"]))
        if options.accuracy is not None:
            parts.append(reporting.needed_sentence(fit, options.accuracy))
    parts += [f"warning: {name} matches nothing in this text" for name in data["skipped"]]
    return "\n".join(parts)
