"""``ge train --record``: a run of the page trained again, its figures beside those that were recorded."""

from argparse import Namespace

from core.commandline.reports import Report, table
from core.commandline.texts import read, read_text
from core.constraints import GEResult, parse_constraints
from core.errors import WorkbenchError
from core.evaluation import attachment_scores
from core.workspace.constraints.record import read_record, repeat_record


def run_record(options: Namespace) -> Report:
    """Train as the record says, on FILE or the built-in sample."""
    if options.constraints or options.then:
        raise WorkbenchError("a record has its own constraints; leave out --constraints and --then")
    record = read_record(read_text(options.record), options.record)
    if options.format == "auto":
        options.format = record["text"]["format"]
    if options.encoding == "utf-8":
        options.encoding = record["text"]["encoding"]
    as_then = {"split": "sentencizer"} if record["text"]["format"] == options.format == "text" else {}
    treebank = read(options.file, options, **as_then) if options.file else None
    result, treebank = repeat_record(record, treebank)
    recorded = record["figures"]
    ours = _figures(result, record)
    scores = attachment_scores(treebank, result.model.parse(treebank), punctuation=False)
    ours |= {"right_heads": scores.heads, "scored_words": scores.words} if scores.words else {}
    apart = max((abs(a - b) for a, b in zip(ours["expectations"], recorded["expectations"], strict=True)), default=0.0)
    data = {**ours, "seconds": result.seconds, "recorded": recorded, "largest_difference": apart}
    if scores.words:
        data["uas"] = scores.uas
    if options.out:
        result.model.save(options.out)
        data["out"] = str(options.out)
    if record["resumed_from"]:
        data["warning"] = (
            f"the recorded run was interrupted after iteration {record['resumed_from']}, where its search began anew"
        )
    shown = [name for name in ("objective", "evaluations", "right_heads", "scored_words") if name in ours]
    rows = [(name.replace("_", " "), str(ours[name]), str(recorded.get(name, "-"))) for name in shown]
    lines = [table(rows, ("", "now", "recorded")), f"expectations differ by at most {apart:.2g}"]
    return Report(data, "\n".join([*lines, *([f"warning: {data['warning']}"] if "warning" in data else [])]))


def _figures(result, record):
    """The figures of a repeated run; 0 is the share of a line that a grammar left out, as in its record."""
    if isinstance(result, GEResult):
        return {
            "objective": float(result.optimum.value), "evaluations": result.optimum.evaluations,
            "status": result.status, "expectations": result.expectations.tolist(),
        }  # fmt: skip
    shares = {line.line: share for line, share in zip(result.constraints, result.expectations.tolist(), strict=True)}
    every = [shares.get(line.line, 0.0) for line in parse_constraints(record["constraints"])]
    return {"objective": result.dual, "status": result.status, "expectations": every}
