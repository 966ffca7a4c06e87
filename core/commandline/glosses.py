"""``corpus features``: features of words by a table of glosses."""

from argparse import Namespace

from core.commandline import texts
from core.commandline.options import READS, Commands, add_command
from core.commandline.reports import Report, table
from core.treebank import write_treebank
from core.treebank.glosses import parse_gloss_table, with_features
from core.workspace.wording import amount


def add_features(actions: Commands) -> None:
    """Add ``features`` to the actions of ``corpus``."""
    title = "features of words by their glosses and a table of yours, such as PL, Number=Plur"
    command = add_command(actions, "features", title, run_features, READS)
    command.add_argument("file", metavar="FILE", help="its glosses are written as cat-PL or 3SG.PST")
    command.add_argument("--glosses", required=True, metavar="TABLE",
                         help="a gloss and its feature a line, with a tab or comma between; _ for none")  # fmt: skip
    command.add_argument("--entry", default="Gloss", metavar="NAME", help="of the glosses in MISC (default: Gloss)")
    command.add_argument("--out", required=True, metavar="FILE", help="write the text here, as its ending says")
    texts.add_into(command)


def run_features(options: Namespace) -> Report:
    """Write the text with features; glosses that the table lacks are listed with counts."""
    glosses = parse_gloss_table(texts.read_text(options.glosses), options.glosses)
    result = with_features(texts.read(options.file, options).to_conllu(), glosses, options.entry)
    notes = texts.write_out(result.treebank, options, write_treebank)
    unknown, conflicts = result.unknown.most_common(), result.conflicts.most_common()
    lines = [f"{amount(result.changed, 'word')} with new features written to {options.out}"]
    if unknown:
        lines += ["glosses that the table does not have:", table(unknown, ("gloss", "times"))]
    lines += [f"warning: {count:,} x {kept} stays, and not {other}" for (kept, other), count in conflicts]
    lines += [f"warning: {note}" for note in notes]
    data = {"changed": result.changed, "unknown": dict(unknown), "out": str(options.out), "warnings": notes}
    data["conflicts"] = [{"kept": kept, "left": other, "words": count} for (kept, other), count in conflicts]
    return Report(data, "\n".join(lines))
