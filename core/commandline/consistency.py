"""``consistency contexts``, ``parse`` and ``tag`` (rush2012), and ``outliers``."""

import time
from argparse import Namespace
from functools import partial

from core.adaptation import self_train
from core.commandline.options import (
    READS,
    SEEDED,
    SPREADS,
    Commands,
    add_actions,
    add_command,
    add_settings,
    settings_of,
)
from core.commandline.reports import Report, by_keys, every_second, p_value, saved, table
from core.commandline.texts import engine_of, read, read_given, read_text_or_shards, warn_of_learnt
from core.commandline.values import positive
from core.consistency import ConsistencySettings, ContextIndex, parse_consistently, tag_consistently
from core.consistency.outliers import AGREEMENT, outliers
from core.consistency.settings import CONTEXTS, SEARCH
from core.consistency.tagging import TAGGING
from core.consistency.warming import CONSISTENCY
from core.evaluation import attachment_scores, error_reduction, sign_test
from core.parsers import Tagger
from core.parsers.mst.parser import MSTParser
from core.shards.folder import Shards
from core.treebank import write_conllu

SHOWN = 20  # contexts in the text report


def add_commands(commands: Commands) -> None:
    """Add ``consistency`` and its three actions to the command line."""
    actions = add_actions(commands, "consistency", "consistency across sentences (rush2012)")

    title = "contexts that predict the tag of a word's head"
    command = add_command(actions, "contexts", title, run_contexts, SEEDED + SPREADS)
    command.add_argument("train", metavar="TRAIN", help="a treebank, or a folder of shards with trees")
    command.add_argument("--test", metavar="FILE", help="count the words of this text too")
    add_settings(command, ConsistencySettings(), CONTEXTS)

    title = "train on TRAIN, parse TEST with and without consistency"
    command = add_command(actions, "parse", title, run_parse, SEEDED, CONSISTENCY)
    command.add_argument("train", metavar="TRAIN")
    command.add_argument("test", metavar="TEST")
    command.add_argument("--order", type=int, choices=(1, 2), default=2, help="of the parser (default: 2)")
    command.add_argument("--epochs", type=positive, default=10, help="passes over TRAIN (default: 10)")
    command.add_argument("--no-self-training", action="store_true", help="leave out the self-training system")
    command.add_argument("--out", metavar="FILE", help="write the consistent trees here (CoNLL-U)")
    command.add_argument("--train-limit", type=positive, metavar="N", help="train on the first N sentences")
    add_settings(command, ConsistencySettings(), CONTEXTS, SEARCH)

    title = "train on TRAIN, tag TEST with and without consistency"
    command = add_command(actions, "tag", title, run_tag, SEEDED, CONSISTENCY)
    command.add_argument("train", metavar="TRAIN")
    command.add_argument("test", metavar="TEST")
    command.add_argument("--extra", metavar="FILE", help="text to look unknown words up in; its tags are not used")
    command.add_argument("--imports", type=int, default=20, help="sentences a word from --extra (default: 20)")
    command.add_argument("--epochs", type=positive, default=8, help="passes over TRAIN (default: 8)")
    command.add_argument("--out", metavar="FILE", help="write the consistently tagged text here (CoNLL-U)")
    command.add_argument("--train-limit", type=positive, metavar="N", help="train on the first N sentences")
    add_settings(command, TAGGING, SEARCH)

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
    line = f"{len(conflicts):,} of {treebank.token_count:,} words are attached otherwise than words in the same context"
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
        f"({data['coverage']:.1f} %); median size {data['median_size']:g}; {data['inside']:,} hold the head",
        "",
        by_keys(shown, columns),
        "",
        "percentage of contexts of 10 training words or more whose majority head has at least this share",
    ]
    columns = {"contexts": "contexts", "count": "count", **{f">= {level}": level for level in table1[0]["shares"]}}
    lines.append(by_keys([{**row, **row["shares"]} for row in table1], columns))
    return Report(data, "\n".join(lines))


def run_parse(options: Namespace) -> Report:
    """The parser alone, self-trained, and with consistency, on TEST."""
    train, test = _train_text(options), read(options.test, options)
    settings = settings_of(options, ConsistencySettings())
    index = ContextIndex(train, test, tags=options.tags)  # what is wrong with the texts shows before training
    index.select(settings.contexts).require_some()
    seconds, began = {}, time.perf_counter()

    def fit(treebank):
        parser = MSTParser(options.order, labels=treebank.deprel.filled, tags=options.tags)
        return parser.fit(treebank, epochs=options.epochs, seed=options.seed)

    options.progress(f"training on {len(train):,} sentences")
    parser = fit(train)
    seconds["training"] = time.perf_counter() - began
    base = parser.parse(test)
    parsed = {"base": base}
    if not options.no_self_training:
        options.progress("self-training")
        began = time.perf_counter()
        parsed["self_training"] = self_train(fit, train, test, teacher=parser).treebank
        seconds["self_training"] = time.perf_counter() - began
    options.progress("parsing with consistency")
    result = parse_consistently(
        parser, train, test, settings, index=index, progress=every_second(options.progress, _stands), tags=options.tags
    )
    parsed["model"] = test.with_heads(result.heads.values, parser.label(test, result.heads))
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
    data = {**systems["model"], "systems": systems, "skipped": parser.skipped, "effects": effects[:SHOWN]}
    data |= {"scored_on": str(options.test), "training_seconds": seconds["training"], "settings": settings.as_dict()}
    data |= saved(options.out, partial(write_conllu, parsed["model"].to_conllu()))
    columns = {"UAS %": "uas", "without punctuation": "uas_without_punctuation", "LAS %": "las"}
    columns["error reduction %"] = "error_reduction"
    effective = ("most effective contexts", "consensus", "size", "changed", "corrected", "harmed")
    warning = warn_of_learnt(data, test, train)
    return Report(data, _text(data, f"{data['contexts']:,} contexts", columns, effective) + warning)


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
        f"{data['certified_sentences']:,} of {data['sentences']:,} sentences after {data['iterations']} iterations"
        f"{certified}; {data['released_sentences']} released; {data['relative_time']:.2f} x the time of one pass"
    )
    shown = [tuple(row.values()) for row in data["effects"][:5]]
    return "\n".join([*lines, *(["", table(shown, effective)] if shown else [])])


def run_tag(options: Namespace) -> Report:
    """The tagger alone and with consistency, on TEST."""
    train, test = _train_text(options), read(options.test, options)
    extra, settings = read_given(options.extra, options), settings_of(options, TAGGING)
    options.progress(f"training on {len(train):,} sentences")
    tagger = Tagger().fit(train, tags=options.tags, epochs=options.epochs, seed=options.seed)
    if tagger.column not in test.source.layout.positions:
        test = test.to_conllu()
    options.progress("tagging with consistency")
    progress = every_second(options.progress, _stands)
    result = tag_consistently(
        tagger, test, settings, extra=extra, imports=options.imports, train=train, progress=progress
    )
    systems = {"base": {}, "model": result.statistics()}
    if getattr(test, tagger.column).filled:
        scores = {"base": tagger.compare(test, result.base_tagging), "model": tagger.compare(test, result.tagging)}
        base = scores["base"]
        test_result = sign_test(test, tagger.tag(test), result.treebank, column=tagger.column)
        for name, score in scores.items():
            systems[name] |= score.as_dict()
            systems[name]["error_reduction"] = error_reduction(base.pos_accuracy, score.pos_accuracy)
            if base.unknown_accuracy is not None:
                unknown = error_reduction(base.unknown_accuracy, score.unknown_accuracy)
                systems[name]["unknown_error_reduction"] = unknown
        systems["model"]["p_value"] = test_result.p_value
    effects = [
        {"words": effect.name, "label": effect.label, "size": effect.size, "changed": len(effect.changes)}
        for effect in result.effects()
    ]
    data = {**systems["model"], "systems": systems, "effects": effects[:SHOWN], "column": tagger.column}
    data |= {"scored_on": str(options.test), "settings": settings.as_dict()}
    data |= saved(options.out, partial(write_conllu, result.treebank.to_conllu()))
    columns = {"right %": "pos_accuracy", "unknown %": "unknown_accuracy", "error reduction %": "error_reduction"}
    columns["of unknown %"] = "unknown_error_reduction"
    effective = ("most changed words", "consensus", "size", "changed")
    return Report(data, _text(data, f"{data['groups']:,} groups of unknown words", columns, effective))


def _stands(stage, what):
    if stage == "first pass":
        return f"first pass: {100 * what:.0f} %"
    return f"iteration {what.iteration}: {what.disagreements} disagreements, gap {what.gap:.4g}"
