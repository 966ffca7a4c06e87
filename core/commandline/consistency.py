"""``consistency contexts``, ``parse`` and ``tag`` (rush2012), and ``outliers``."""

import time
from argparse import Namespace
from dataclasses import asdict
from functools import partial
from typing import NamedTuple

from core.adaptation import self_train
from core.commandline.long_sentences import LEFT_OUT, warn_of_long
from core.commandline.options import (
    READS,
    SEEDED,
    SPREADS,
    Commands,
    add_actions,
    add_command,
    add_preset,
    add_settings,
    different_from_paper,
    settings_of,
)
from core.commandline.projection import steered, under_constraints
from core.commandline.reports import Report, by_keys, every_second, p_value, saved, table
from core.commandline.texts import engine_of, named_language, read, read_given, read_text_or_shards, warn_of_learnt
from core.commandline.values import positive
from core.consistency import ConsistencySettings, ContextIndex, parse_consistently, tag_consistently
from core.consistency.labels import require_known_tags, require_same_tags
from core.consistency.learning import LEARNING, LearningSettings, learn_deltas
from core.consistency.outliers import AGREEMENT, outliers, words_with_heads
from core.consistency.settings import CONTEXTS, NO_SETTINGS, SEARCH, TREES
from core.consistency.tag_scores import tag_scores
from core.consistency.tagging import TAGGING
from core.consistency.unknown import IMPORTS, LEAST, UnknownIndex
from core.consistency.warming import CONSISTENCY, CONSISTENT_TAGS
from core.constraints.grammar.judging import TaughtParser
from core.constraints.grammar.settings import LIMITS, GrammarSettings
from core.errors import WorkbenchError
from core.evaluation import attachment_scores, error_reduction, sign_test
from core.evaluation.learnt import having_tags
from core.markup.marked import marked_sentences
from core.parsers import Tagger, load_parser
from core.parsers.crf.tree_crf import with_trees
from core.parsers.decoding import PosteriorParser
from core.parsers.mst.parser import MSTParser
from core.parsers.protocols import Labeller, Parser, Scorer
from core.parsers.universal.parser import UniversalParser
from core.parsers.word_scorer import WordScorer
from core.shards.folder import Shards
from core.treebank import Treebank, write_conllu
from core.trees.brackets import LEVELS
from core.workspace.scoring import UNKNOWN_TRAINING
from core.workspace.wording import amount

SHOWN = 20  # contexts in the text report
FIGURE_2 = "that is its Figure 2 with its sign mended"
NO_TEXT = "-"  # in place of TRAIN, where a saved tagger is given
TAGGER_EPOCHS = 8
ORDERS = {None: 2, "1": 1, "2": 2}  # of parsers by what --order says


def add_commands(commands: Commands) -> None:
    """Add ``consistency`` and its three actions to the command line."""
    actions = add_actions(commands, "consistency", "consistency across sentences (rush2012)")

    title = "contexts that predict the tag of a word's head"
    command = add_command(actions, "contexts", title, run_contexts, SEEDED + SPREADS)
    command.add_argument("train", metavar="TRAIN", help="a treebank, or a folder of shards with trees")
    command.add_argument("--test", metavar="FILE", help="count the words of this text too")
    add_settings(command, ConsistencySettings(), CONTEXTS)

    title = "take contexts from TRAIN, parse TEST with and without consistency"
    command = add_command(actions, "parse", title, run_parse, SEEDED, CONSISTENCY)
    command.add_argument("train", metavar="TRAIN")
    command.add_argument("test", metavar="TEST")
    command.add_argument(
        "--model", metavar="M", help="the parser: a file, or universal (default: one trained on TRAIN)"
    )
    command.add_argument("--order", metavar="1|2|ANSWERS", help="of the parser that is trained: 1 or 2 (default: 2); "
                         "of a universal one what is known about word order, as for parse")  # fmt: skip
    command.add_argument("--trees", metavar="TREES", help="trees that correct a universal parser, as for parse; may be "
                         "TRAIN")  # fmt: skip
    command.add_argument("--constraints", metavar="C", help="constraints that the trees of M should keep, as for parse")
    command.add_argument("--level", choices=LEVELS, default="none", help="how trees of M respect the brackets in # "
                         "markup (default: none)")  # fmt: skip
    add_settings(command, GrammarSettings(), LIMITS)
    command.add_argument("--epochs", type=positive, default=10, help="passes over TRAIN (default: 10)")
    command.add_argument("--no-self-training", action="store_true", help="leave out the self-training system")
    command.add_argument("--out", metavar="FILE", help="write the consistent trees here (CoNLL-U)")
    command.add_argument("--train-limit", type=positive, metavar="N", help="train on the first N sentences")
    add_preset(command, FIGURE_2)
    add_settings(command, ConsistencySettings(), CONTEXTS, SEARCH, TREES, only_given=True)
    group = add_settings(command, LearningSettings())[LEARNING]
    group.add_argument("--learn-deltas", action="store_true", help="learn the deltas together with the parser, on "
                       "held-out folds of TRAIN, beginning at those given")  # fmt: skip

    title = "train on TRAIN, tag TEST with and without consistency"
    command = add_command(actions, "tag", title, run_tag, SEEDED, CONSISTENT_TAGS)
    command.add_argument("train", metavar="TRAIN", help="text whose tags are learnt; - where --model gives a tagger")
    command.set_defaults(signs=("train",))  # where "-" is no standard input
    command.add_argument("test", metavar="TEST")
    command.add_argument("--model", metavar="M", help="a tagger that was saved, in place of one trained on TRAIN")
    command.add_argument("--extra", metavar="FILE", help="text to look unknown words up in; its tags are not used")
    help_text = f"sentences a word from --extra (default: {IMPORTS})"
    command.add_argument("--imports", type=int, default=IMPORTS, help=help_text)
    help_text = f"least occurrences of a word that training did not see, those in --extra too (default: {LEAST})"
    command.add_argument("--least", type=positive, default=LEAST, help=help_text)
    command.add_argument("--epochs", type=positive, help=f"passes over TRAIN (default: {TAGGER_EPOCHS})")
    command.add_argument("--out", metavar="FILE", help="write the consistently tagged text here (CoNLL-U)")
    command.add_argument("--train-limit", type=positive, metavar="N", help="train on the first N sentences")
    add_preset(command, FIGURE_2)
    add_settings(command, TAGGING, SEARCH, only_given=True)

    title = "words of a treebank that are attached otherwise than words in the same context"
    command = add_command(actions, "outliers", title, run_outliers, READS)
    command.add_argument("treebank", metavar="TREEBANK", help="with trees; contexts are of UPOS where it has them")
    help_text = f"least probability of what others in the context have (default: {AGREEMENT:g})"
    command.add_argument("--agreement", type=float, default=AGREEMENT, metavar="SHARE", help=help_text)
    command.add_argument("--count", type=positive, default=100, help="words listed at most (default: 100)")


def run_outliers(options: Namespace) -> Report:
    """The words of TREEBANK that contradict their context, the highest odds first."""
    treebank = read(options.treebank, options)
    began = time.perf_counter()
    conflicts = outliers(treebank, options.agreement, options.tags)
    seconds = time.perf_counter() - began
    rows = [_outlier(treebank[outlier.sentence], treebank, outlier) for outlier in conflicts[: options.count]]
    data = {"words": treebank.token_count, "found": len(conflicts), "rows": rows, "seconds": seconds}
    columns = {"sentence": "place", "word": "name", "relation": "relation", "head": "head", "has": "has"}
    columns |= {"others": "others", "of them": "share", "odds": "shown", "context": "context"}
    shown = [
        {**row, "place": row["sent_id"] or row["sentence"], "name": f"{row['word']} {row['form']}"}
        | {"share": f"{row['agreeing']:,} of {row['of']:,}", "shown": f"{row['odds']:,.0f}"}
        for row in rows
    ]
    listed = f"; the first {len(rows):,}" if len(rows) < len(conflicts) else ""
    line = f"{len(conflicts):,} of {words_with_heads(treebank)} are attached otherwise than words in the same context"
    return Report(data, f"{line}{listed}\n\n{by_keys(shown, columns)}" if rows else line)


def _outlier(sentence, treebank, found):
    """A row of the report, as JSON values."""
    head = int(sentence.heads[found.word])
    return {
        "sentence": int(treebank.picks[found.sentence]) + 1, "sent_id": sentence.sent_id, "word": found.word,
        "form": sentence.forms[found.word], "relation": sentence.deprels[found.word],
        "head": f"{head} {sentence.forms[head]}" if head else "0", "has": str(found.has), "others": str(found.others),
        "agreeing": found.agreeing, "of": found.of, "odds": found.odds, "context": found.context,
    }  # fmt: skip


def run_contexts(options: Namespace) -> Report:
    """Contexts of TRAIN, their statistics, and Table 1."""
    train = read_text_or_shards(options.train, options)
    test = read_given(options.test, options)
    settings = settings_of(options, ConsistencySettings()).contexts
    with engine_of(options, train) as engine:
        longest = options.max_length if isinstance(train, Shards) else None  # a text in memory is cut as it is read
        index = ContextIndex(train, test, tags=options.tags, longest=longest, engine=engine)
        began = time.perf_counter()
        contexts = index.select(settings)
        contexts.require_some()
        rows = contexts.rows()
        seconds = time.perf_counter() - began
    counted = index.table()
    table1 = [{**row, "shares": {f"{k:g}": v for k, v in row["shares"].items()}} for row in counted]
    data = {**contexts.statistics(), "table1": table1, "rows": rows, "seconds": seconds}
    shown = [{**row, "share": f"{row['share']:.2f}"} for row in rows[:SHOWN]]
    columns = {"context": "name", "head": "head", "share": "share", "training words": "observed", "test words": "test"}
    lines = [
        f"{data['contexts']:,} contexts hold {data['words']:,} of {data['tagged_words']:,} words "
        f"({data['coverage']:.1f}%); median size {data['median_size']:g}; {data['inside']:,} hold the head",
        "",
        by_keys(shown, columns),
        "",
        "percentage of contexts of 10 training words or more whose majority head has at least this share",
    ]
    columns = {"contexts": "contexts", "count": "count", **{f">= {level}": level for level in table1[0]["shares"]}}
    lines.append(by_keys([{**row, **row["shares"]} for row in table1], columns))
    return Report(data, "\n".join(lines))


def run_parse(options: Namespace) -> Report:
    """The parser alone, self-trained if it is trained here, and with consistency, on TEST."""
    train, test = _train_text(options), read(options.test, options)
    settings = settings_of(options, ConsistencySettings())
    warn_of_long(test, options, LEFT_OUT)
    index = ContextIndex(train, test, tags=options.tags)  # what is wrong with the texts shows before training
    index.select(settings.contexts).require_some()
    ready = _given(options, test) if options.model else _trained(options, train, test, settings)
    parser, parsed, settings = ready.parser, ready.parsed, ready.settings or settings
    options.progress("parsing with consistency")
    result = parse_consistently(
        _scorer(parser, test, options), train, test, settings, index=index,
        progress=every_second(options.progress, _stands), tags=options.tags,
    )  # fmt: skip

    def labelled(heads):
        if not isinstance(parser, Labeller):
            return with_trees(test, heads.values)
        return test.with_heads(heads.values, parser.label(test, heads.values))

    base = parsed.get("base") or labelled(result.base_heads)
    parsed = {"base": base, **parsed}
    parsed["model"] = labelled(result.heads)
    scored = bool((test.heads >= 0).any())
    systems: dict[str, dict] = {name: {} for name in parsed}
    for name, trees in parsed.items() if scored else ():
        scores, heads = attachment_scores(test, trees), sign_test(test, base, trees)
        systems[name] = scores.as_dict()
        systems[name]["uas_without_punctuation"] = attachment_scores(test, trees, punctuation=False).uas
        systems[name]["error_reduction"] = error_reduction(attachment_scores(test, base).uas, scores.uas)
        systems[name] |= {"p_value": heads.p_value, "words_better": heads.only_second, "words_worse": heads.only_first}
    systems["model"] |= result.statistics()
    effects = [
        {"context": effect.name, "label": effect.label, "size": effect.size, "changed": len(effect.changes)}
        | {"corrected": effect.corrected, "harmed": effect.harmed}
        for effect in result.effects(test if scored else None)
    ]
    data = {**systems["model"], "systems": systems, "effects": effects[:SHOWN], "settings": settings.as_dict()}
    data["different_from_paper"] = different_from_paper(settings, NO_SETTINGS)
    data |= {"scored_on": str(options.test), **ready.data}
    data |= saved(options.out, partial(write_conllu, parsed["model"].to_conllu()))
    columns = {"UAS %": "uas", "without punctuation": "uas_without_punctuation", "LAS %": "las"}
    columns["error reduction %"] = "error_reduction"
    effective = ("most effective contexts", "consensus", "size", "changed", "corrected", "harmed")
    warning = warn_of_learnt(data, test, train, *ready.taught)
    text = _text(data, f"{data['contexts']:,} contexts", columns, effective)
    return Report(data, "\n".join([text, *ready.lines]) + warning)


class _Ready(NamedTuple):
    """A parser to begin with, TEST under its trees by system, and what to report of how it came about."""

    parser: Parser
    parsed: dict[str, Treebank]
    data: dict
    lines: list[str]
    taught: tuple[Treebank, ...] = ()
    settings: ConsistencySettings | None = None  # with learnt deltas


def _trained(options, train, test, settings):
    """A parser trained on TRAIN; TEST under its trees and, if asked for, those of self-training."""
    if options.order not in ORDERS:
        raise WorkbenchError(f"the order of a parser is 1 or 2, got {options.order}; answers are for --model universal")
    for name in ("constraints", "trees"):
        if getattr(options, name):
            raise WorkbenchError(f"--{name} is for a parser that is given; give --model, or leave it out")

    def new_parser(treebank):
        return MSTParser(ORDERS[options.order], labels=treebank.deprel.filled, tags=options.tags)

    def fit(treebank):
        return new_parser(treebank).fit(treebank, epochs=options.epochs, seed=options.seed)

    options.progress(f"training on {len(train):,} sentences")
    began, learnt = time.perf_counter(), None
    if options.learn_deltas:
        learnt = _learnt(options, new_parser(train), train, settings)
        settings = learnt.settings
    parser = learnt.parser if learnt else fit(train)
    data = {"skipped": parser.skipped, "training_seconds": time.perf_counter() - began}
    lines = []
    if learnt:
        data["learnt_deltas"] = [asdict(epoch) for epoch in learnt.epochs]
        deltas = ", ".join(f"{name} {getattr(settings, name):.4g}" for name in ("delta1", "delta2", "delta3"))
        lines = ["", f"learnt with the parser on {options.folds} folds of {options.train}: {deltas}"]
    parsed = {"base": parser.parse(test)}
    if not options.no_self_training:
        options.progress("self-training")
        parsed["self_training"] = self_train(fit, train, test, teacher=parser).treebank
    return _Ready(parser, parsed, data, lines, settings=settings)


def _learnt(options, parser, train, settings):
    """The LearntDeltas of TRAIN."""

    def report(epoch):
        deltas = ", ".join(f"{delta:.4g}" for delta in epoch.deltas)
        options.progress(f"epoch {epoch.epoch} of {options.epochs}: deltas {deltas}")

    learning = settings_of(options, LearningSettings())
    return learn_deltas(parser, train, settings, learning, tags=options.tags, progress=report)


def _given(options, test):
    """The parser of ``--model`` under answers, trees and constraints."""
    if options.learn_deltas:
        raise WorkbenchError("--learn-deltas trains the parser too; leave out --model, or --learn-deltas")
    below, taught = steered(load_parser(options.model), options), ()
    if isinstance(below, UniversalParser):
        below = below.for_text(test, named_language(test, options))
        if options.trees:
            taught = (read(options.trees, options),)
            below = TaughtParser(below, *taught)
    parser, data, lines = under_constraints(below, test, options)
    return _Ready(parser, {}, data, lines, taught)


def _scorer(parser, test, options):
    """A parser as ``parse_consistently`` takes it, which keeps the brackets of TEST at ``--level``."""
    if options.level != "none" and not any(marked_sentences(test)):
        raise WorkbenchError(f"{options.test}: no sentence has a # markup comment; make some with markup extract")
    if isinstance(parser, PosteriorParser):
        return WordScorer(parser, marked_sentences, options.level)
    if not isinstance(parser, Scorer):
        raise WorkbenchError(f"{options.model} gives no scores of arcs; give universal, or a grammar")
    if options.level != "none":
        raise WorkbenchError("--level is for a parser that says how probable arcs are; give --model universal")
    return parser


def _train_text(options):
    train = read(options.train, options)
    return train.limit(options.train_limit) if options.train_limit else train


def _text(data, groups, columns, effective):
    """The systems' scores by ``columns``, the search over some groups, and what it changed most."""
    rows = [{**system, "name": name, "p": p_value(system)} for name, system in data["systems"].items()]
    certified = "" if data["status"] in ("agreed", "certified") else f" ({data['status']}: best answer so far)"
    lines = [by_keys(rows, {"system": "name", **columns, "p": "p"}), ""]
    lines.append(
        f"{groups}, {data['active']:,} active; {data['changed_words']:,} words changed; certified: "
        f"{data['certified_sentences']:,} of {data['sentences']:,} sentences after "
        f"{amount(data['iterations'], 'iteration')}{certified}; {data['released_sentences']} released; "
        f"{data['relative_time']:.2f} x the time of one pass"
    )
    shown = [tuple(row.values()) for row in data["effects"][:5]]
    return "\n".join([*lines, *(["", table(shown, effective)] if shown else [])])


def run_tag(options: Namespace) -> Report:
    """The tagger alone and with consistency, on TEST."""
    if (options.model is None) == (options.train == NO_TEXT):
        raise WorkbenchError("say what the tagger is: TRAIN to train one, or - in its place and --model M")
    test = read(options.test, options)
    extra, settings = read_given(options.extra, options), settings_of(options, TAGGING)
    train, tagger = (None, _saved_tagger(options, test)) if options.model else _trained_tagger(options, test)
    column = tagger.column
    if column not in test.source.layout.positions:
        test = test.to_conllu()
    options.progress("tagging with consistency")
    words = UnknownIndex.of(tagger.trained().forms, test, extra).select(options.imports, options.least)
    progress = every_second(options.progress, _stands)
    result = tag_consistently(tagger, test, settings, words=words, train=train, progress=progress)
    scores = tag_scores(tagger, test, result)
    systems: dict[str, dict] = {"base": {}, "model": result.statistics()}
    for name, figures in (scores.as_dict() if scores else {}).items():
        systems[name] |= figures
    effects = [
        {"words": effect.name, "label": effect.label, "size": effect.size, "changed": len(effect.changes)}
        for effect in result.effects()
    ]
    data = {**systems["model"], "systems": systems, "effects": effects[:SHOWN], "column": tagger.column}
    data |= {"scored_on": str(options.test), "settings": settings.as_dict()}
    data["different_from_paper"] = different_from_paper(settings, NO_SETTINGS, without=TREES)
    data |= saved(options.out, partial(write_conllu, result.treebank.to_conllu()))
    columns = {"right %": "pos_accuracy", "unknown %": "unknown_accuracy", "error reduction %": "error_reduction"}
    columns["of unknown %"] = "unknown_error_reduction"
    effective = ("most changed words", "consensus", "size", "changed")
    if train is not None:
        warning = warn_of_learnt(data, test, train, teaches=having_tags(column))
    else:
        warning = f"\n{UNKNOWN_TRAINING}" if scores else ""
    return Report(data, _text(data, f"{data['groups']:,} groups of unknown words", columns, effective) + warning)


def _trained_tagger(options, test):
    """(TRAIN, the tagger that learnt from it)."""
    train = _train_text(options)
    column = train.tag_name(options.tags)  # what is wrong with the texts shows before training
    require_same_tags(train, test, column)
    options.progress(f"training on {len(train):,} sentences")
    return train, Tagger().fit(train, tags=column, epochs=options.epochs or TAGGER_EPOCHS, seed=options.seed)


def _saved_tagger(options, test):
    """The tagger of ``--model``."""
    for option, value in (("--epochs", options.epochs), ("--train-limit", options.train_limit)):
        if value is not None:
            raise WorkbenchError(f"{option} is of training, and --model gives a tagger; leave one of them out")
    tagger = Tagger.load(options.model)
    if options.tags not in (None, tagger.column):
        raise WorkbenchError(f"{options.model} gives {tagger.column} tags, not {options.tags}; leave out --tags")
    require_known_tags(tagger.tags, test, tagger.column)
    return tagger


def _stands(stage, what):
    if stage == "first pass":
        return f"first pass: {100 * what:.0f}%"
    return f"iteration {what.iteration}: {what.disagreements} disagreements, gap {what.gap:.4g}"
