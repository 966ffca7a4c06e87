"""``corpus stats`` and ``corpus convert``."""

from core.commandline.common import Report, add_reader_options, read, table
from core.errors import WorkbenchError
from core.treebank import statistics, write_conllu
from core.treebank.schemes import to_function_heads

SCHEMES = ("ud", "function-heads")


def add_commands(commands):
    """Add ``corpus`` and its two actions to the command line."""
    corpus = commands.add_parser("corpus", help="statistics and conversion of treebanks")
    actions = corpus.add_subparsers(required=True, metavar="ACTION")

    command = actions.add_parser("stats", help="sentences, words, tags, relations, non-projectivity")
    command.add_argument("file", metavar="FILE")
    command.add_argument("--json", action="store_true", help="print one JSON object")
    add_reader_options(command)
    command.set_defaults(run=run_stats)

    command = actions.add_parser("convert", help="read any format, write CoNLL-U")
    command.add_argument("file", metavar="FILE")
    command.add_argument("--out", required=True, metavar="FILE", help="write CoNLL-U here")
    command.add_argument(
        "--heads",
        metavar="RULES",
        help="head rules for bracketed trees: collins (default), yamada-matsumoto, or a file",
    )
    command.add_argument("--scheme", choices=SCHEMES, default="ud", help="function-heads: function words head UD trees")
    command.add_argument("--json", action="store_true", help="print one JSON object")
    add_reader_options(command)
    command.set_defaults(run=run_convert)


def run_stats(options):
    """What a treebank holds."""
    treebank = read(options.file, options)
    found = statistics(treebank)
    lines = [
        table(
            [
                ("sentences", found.sentences),
                ("words", found.tokens),
                ("mean length", found.mean_length),
                ("longest", found.longest),
                ("with trees", found.with_heads),
                ("non-projective", found.non_projective),
                ("several roots", found.several_roots),
            ]
        )
    ]
    for name, counts in (("UPOS", found.upos), ("XPOS", found.xpos), ("relations", found.relations)):
        if counts:
            most = ", ".join(f"{value} {count}" for value, count in list(counts.items())[:12])
            lines.append(f"{name}: {most}" + (" ..." if len(counts) > 12 else ""))
    lines += [f"warning: {warning}" for warning in treebank.warnings]
    data = {**found.as_dict(), "warnings": list(treebank.warnings)}
    return Report(data, "\n".join(lines))


def run_convert(options):
    """Read a treebank, change its scheme if asked, write CoNLL-U."""
    treebank = read(options.file, options, **({"rules": options.heads} if options.heads else {}))
    if options.scheme == "function-heads":
        if not (treebank.heads >= 0).any():
            raise WorkbenchError(f"{options.file} holds no trees to convert; give a UD treebank")
        treebank = to_function_heads(treebank)
    write_conllu(treebank.to_conllu(), options.out)
    data = {
        "sentences": len(treebank),
        "tokens": treebank.token_count,
        "out": str(options.out),
        "warnings": list(treebank.warnings),
    }
    lines = [f"{len(treebank)} sentences, {treebank.token_count} words written to {options.out}"]
    return Report(data, "\n".join(lines + [f"warning: {warning}" for warning in treebank.warnings]))
