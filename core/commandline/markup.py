"""``markup extract`` and ``markup agree``."""

import time
from argparse import Namespace
from dataclasses import fields

from core.commandline.corpus import SCHEMES
from core.commandline.options import READS, SPREADS, Commands, add_actions, add_command, add_settings, settings_of
from core.commandline.reports import Report, by_keys, every_second, table
from core.commandline.texts import engine_of, read, read_text_or_shards, refuse_of_files
from core.commandline.values import positive, size
from core.errors import WorkbenchError
from core.files.packed import plain_name
from core.markup import Limits, agreement, align, extract_sentences, marked_sentences, markup_statistics
from core.markup.agreement import JUDGED
from core.markup.punctuation import SOURCES
from core.markup.reader import Extracting
from core.markup.statistics import table as ranked
from core.parsers import ENGLISH, English, load_parser
from core.shards import SIZE, extract_shards
from core.shards.folder import Shards
from core.treebank import write_conllu
from core.treebank.schemes import to_function_heads
from core.workspace.wording import amount

SHOWN = 10  # rows of a table, and skipped pages, in text; all of them in JSON
TOP = 15  # rows of a table in JSON


def add_commands(commands: Commands) -> None:
    """Add ``markup`` to the command line."""
    actions = add_actions(commands, "markup", "brackets from web pages")
    command = add_command(actions, "extract", "sentences and brackets of web pages, as CoNLL-U", run_extract, SPREADS)
    command.add_argument(
        "pages",
        metavar="PAGES",
        nargs="+",
        help="pages, Markdown files, folders, zip files, WARC and WET archives, URLs",
    )
    command.add_argument(
        "--out", required=True, metavar="FILE|FOLDER", help="write CoNLL-U to FILE.conllu, or shards into a folder"
    )
    add_settings(command, Extracting())
    command.add_argument("--urls", action="store_true", help="fetch URLs")
    command.add_argument(
        "--max-length", type=positive, default=Limits.sentence_words, metavar="N", help="words a sentence"
    )
    command.add_argument("--trees", metavar="FILE", help="write this file's trees instead, with the pages' brackets")
    command.add_argument(
        "--part-size", type=size, default=SIZE, metavar="N", help="bytes of pages in a shard (default: 64M)"
    )

    title = "how far brackets agree with trees; what is marked"
    command = add_command(actions, "agree", title, run_agree, READS + SPREADS)
    command.add_argument("file", metavar="FILE", help="treebank with # markup comments, or a folder of shards")
    command.add_argument(
        "--model", metavar="M", help="parse with this (default: english, ours, where trees are missing)"
    )
    command.add_argument(
        "--scheme", choices=SCHEMES, default="ud", help="function-heads: function words head the trees"
    )
    command.add_argument("--tag", metavar="T", help="tables of what one tag marks")


def run_extract(options: Namespace) -> Report:
    """Extract PAGES into a file."""
    unknown = [name for name in options.punctuation if name not in SOURCES]
    if unknown:
        raise WorkbenchError(f"there are no brackets from {unknown[0]!r}; choose among {', '.join(SOURCES)}")
    began = time.perf_counter()
    if not plain_name(options.out).lower().endswith(".conllu"):
        return _extract_shards(options, began)
    if options.workers or options.cluster:
        raise WorkbenchError("several processes write shards, not one file; give --out a folder")
    settings = settings_of(options, Extracting(), limits=Limits(sentence_words=options.max_length))
    if options.trees and settings.places:
        raise WorkbenchError("the trees of a file have no --places; leave out one of --trees and --places")
    chosen = {field.name: getattr(settings, field.name) for field in fields(settings)}
    progress = every_second(options.progress, lambda report: (
        f"{amount(report.pages, 'page')} read, {amount(report.sentences, 'sentence')}, "
        f"{amount(report.brackets, 'bracket')}"
    ))  # fmt: skip
    extraction = extract_sentences(options.pages, **chosen, urls=options.urls, progress=progress)
    report = extraction.report
    if not len(extraction.treebank):
        raise WorkbenchError(f"no sentence was found: {report.why_nothing}")
    data = {**report.as_dict(), "seconds": time.perf_counter() - began, "out": str(options.out)}
    written, more = extraction.treebank, []
    if options.trees:
        options.format, options.encoding = "auto", "utf-8"
        options.max_length = options.no_punctuation = options.limit = options.keep_hyphens = None
        options.writing_system = options.contractions = None
        aligned = align(extraction, read(options.trees, options))
        written = aligned.treebank
        data["trees"] = {"found": aligned.matched, "strange": aligned.strange, "split": aligned.split}
        count = sum(map(len, aligned.brackets))
        more = [f"{aligned.matched} of {len(written)} trees are on the pages; {count} brackets stand on them"]
    write_conllu(written, options.out)
    statistics = markup_statistics(extraction.treebank, extraction.brackets)
    rows = [(row.length, row.sentences, row.tokens, row.brackets, row.multiword) for row in statistics.cutoffs]
    shown = table(rows, ("bracket of at least", "sentences", "words", "brackets", "of two or more"))
    return Report(data, "\n".join([*_report_lines(report, data), "", shown, *more]))


def _extract_shards(options, began):
    if options.trees or options.urls:
        raise WorkbenchError("--trees and --urls read into one file; give --out a name that ends in .conllu")
    settings = settings_of(options, Extracting(), limits=Limits(sentence_words=options.max_length))
    if settings.places:
        raise WorkbenchError("shards keep no --places; give --out a name that ends in .conllu")
    with engine_of(options) as engine:
        progress = every_second(options.progress, "{:,} of {:,} parts read".format)
        done = extract_shards(
            options.pages, options.out, settings, part_size=options.part_size, engine=engine, progress=progress
        )
    report, shards = done.report, done.shards
    report.notes += report.unchosen
    data = {**report.as_dict(), "seconds": time.perf_counter() - began, "out": str(options.out), "shards": len(shards)}
    data |= {"kept": done.found, "sentences": shards.sentences, "tokens": shards.words}
    data["repeated"] = sum(row["repeated"] for row in shards.rows)
    return Report(data, "\n".join(_report_lines(report, data)))


def _report_lines(report, data):
    """What became of the pages."""
    lines = [
        f"{amount(report.pages, 'page')}, {amount(data['sentences'], 'sentence')}, {amount(data['tokens'], 'word')}, "
        f"{amount(report.brackets, 'bracket')} ({report.multiword:,} of two words or more), written to {data['out']}"
    ]
    if "shards" in data:
        lines.append(
            f"{data['shards']:,} shards, {data['kept']:,} of them there before; {data['repeated']:,} sentences "
            "left out, which an earlier shard has"
        )
    if report.chosen:
        lines += ["", table(report.chosen.most_common(), ("selector", "elements chosen"))]
    if report.marks:
        columns = ("tag", "marks", "broken up", "kept", "part of a word", "whole sentence", "no word")
        lines += ["", table(report.by_tag(), columns)]
    if report.dropped:
        ordered = sorted(report.dropped.items(), key=lambda item: -item[1].characters)
        rows = [(reason, text.pieces, text.characters, text.examples[0][:60]) for reason, text in ordered]
        lines += ["", table(rows, ("left out as", "pieces", "characters", "such as"))]
    if report.skipped:
        lines += ["", f"skipped {len(report.skipped):,}:"]
        lines += [f"  {page.source}: {page.reason}" for page in report.skipped[:SHOWN]]
        if len(report.skipped) > SHOWN:
            lines.append(f"  and {len(report.skipped) - SHOWN:,} more (all with --json)")
    return lines + [f"note: {note}" for note in report.notes[:SHOWN]]


def run_agree(options: Namespace) -> Report:
    """Agreement of the brackets of FILE with its trees, or with a parser's."""
    text, parsed_by = read_text_or_shards(options.file, options), None
    if isinstance(text, Shards):
        from core.shards.counting import shards_agreement

        refuse_of_files(options, "model", "scheme")
        if "head" not in text.columns:
            raise WorkbenchError(f"{options.file}: no word has a head; parse the shards first")
        chosen = {"tags": options.tags, "tag": options.tag}
        with engine_of(options) as engine:
            agreed, statistics = shards_agreement(text, options.max_length, **chosen, engine=engine)
    else:
        treebank, parsed_by = _with_trees(text, options.model)
        if options.scheme == "function-heads":
            treebank = to_function_heads(treebank)
        agreed = agreement(treebank)
        statistics = markup_statistics(treebank, tags=options.tags, tag=options.tag)
    data = {**agreed.as_dict(), "statistics": statistics.as_dict(TOP), "parsed_by": parsed_by}
    return Report(data, _agree_text(agreed, statistics))


def _with_trees(treebank, model):
    """(treebank, who parsed it or None); of a text that must be parsed only the marked sentences are."""
    whole = int((treebank.heads < 0).sum()) == len(treebank)  # only the roots have no head
    if whole and model is None:
        return treebank, None
    treebank = treebank.select([index for index, marks in enumerate(marked_sentences(treebank)) if marks])
    if model is not None:
        return load_parser(model).parse(treebank), str(model)
    treebank, parsed = English.load().complete(treebank)
    return treebank, f"{ENGLISH} ({parsed} of {len(treebank)} marked sentences)"


def _agree_text(agreed, statistics):
    rows = [("all", *_cells(agreed.all)), ("two words or more", *_cells(agreed.multiword))]
    for title, group in (("tag", agreed.by_tag), ("source", agreed.by_source)):
        rows += [(f"{title} {name or '(none)'}", *_cells(pair[0])) for name, pair in group.items()]
    header = ("brackets of", "number", *JUDGED, *(["constituents"] if agreed.all.phrases is not None else []))
    lines = [f"{agreed.sentences:,} sentences judged; in per cent, with 95% intervals", "", table(rows, header)]
    if agreed.unjudged:
        lines.append(f"left out: {agreed.unjudged:,} marked sentences with a word without a head")
    counters = {"marked tags": statistics.sequences, "lowest phrase around a bracket": statistics.dominating}
    counters |= {"production": statistics.productions, "head-outward spawn": statistics.spawns}
    columns = {"number": "count", "%": "share", "sum %": "sum"}
    for title, counter in counters.items():
        if counter:
            lines += ["", by_keys(ranked(counter, SHOWN), {title: "name", **columns})]
    return "\n".join(lines)


def _cells(row):
    levels = (*JUDGED, *(["phrase"] if row.phrases is not None else []))
    if not row.brackets:
        return (0, *("-" for _ in levels))
    intervals = {level: (100 * end for end in row.interval(level)) for level in levels}
    shares = ("{:.1f} ({:.1f}-{:.1f})".format(100 * row.share(level), *ends) for level, ends in intervals.items())
    return (row.brackets, *shares)
