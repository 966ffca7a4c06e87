"""Tags from a list of words in languages of genera that the tagger has not seen, and trees from such tags."""

from dataclasses import replace
from operator import itemgetter

import numpy as np

from core.evaluation import attachment_scores
from core.experiments import corpora
from core.experiments.beyond.folds import (
    FEW,
    Texts,
    fold_parser,
    fold_tagger,
    language_rows,
    parser_settings,
    tagged_text,
    tagger_settings,
    tested_folds,
)
from core.experiments.beyond.tags import with_tags
from core.experiments.beyond.universal import MOST
from core.experiments.experiment import Environment, Results
from core.extras import require
from core.parsers.dictionary.lists import frequent_words, lexicon_of, tag_counts_of, tagged_by_list, without_tags
from core.parsers.dictionary.tagger import DictionaryTagger
from core.parsers.dictionary.worth import words_worth_tagging
from core.parsers.universal.parser import UniversalParser
from core.parsers.universal.questions import NAMES, SIX, answers_of_trees, in_one_word
from core.parsers.universal.sources import tagged_sentences, usable_sentences
from core.parsers.universal.text import TaggedWords
from core.treebank import Treebank, read_treebank
from core.treebank.retag import interned, with_column
from core.treebank.tagging import OTHER, SHAPES, Lexicon, apply_lexicon

LISTED = (100, 200, 400)  # words
SEVERAL = 0.1  # share of a word's tokens that makes a tag one of its tags, where all are listed
ASKED = 20  # words that are tagged before the next are chosen
MORE_TEXT = {  # language -> its text, text of the same kind whose tags nobody reads
    "English": (corpora.EWT.test, corpora.EWT.train),
    "Turkish": (corpora.TURKISH.test, corpora.TURKISH.train),
    "Chinese": (corpora.CHINESE_NOW.test, corpora.CHINESE.train),
}
MORE = 4500  # sentences at the most
NOTES = [
    f"Of each language the first {MOST} sentences, gold words, punctuation not counted. A list has the most frequent "
    "words with the tag that each has most often; chosen: words that the tagger asks for, 20 at a time.",
    "Held out by genus: no source is of the language\u2019s genus, and parallel treebanks (PUD) are not tested with "
    "parallel sources. One tagger for each fold, trained on lists drawn of up to 800 sentences of each source.",
    "Trees: the universal parser of the same fold with six answers, sentences of at most 40 words; gold: with gold "
    "tags and features; bare: without features; best: with the likeliest tags from 200 words; listed: with how "
    "probable each of a word's tags is.",
]


def beyond_word_lists(env: Environment) -> Results:
    """Accuracy of tags and trees by the number of listed words, for every language and by genus."""
    require("universal")
    texts = Texts(env)

    def figures(fold, number):
        tagger, parser = fold_tagger(env, texts, fold, number), fold_parser(env, texts, fold, number)

        def of(target):
            text = tagged_text(env, target).limit(FEW if env.quick else MOST)
            return tag_figures(tagger, text) | tree_figures(tagger, parser, text)

        return of

    settings = LISTED, tagger_settings(env), parser_settings(env)
    rows = language_rows(env, texts, "beyond-word-lists-{}-rows", settings, figures, itemgetter("200 words"))
    keys = [key for key, value in rows[0].items() if isinstance(value, float) and key != "judged"]
    mean = _mean(f"mean of {len(rows)} languages", rows, keys)
    genera = sorted({row["genus"] for row in rows})
    by_genus = [_mean(genus, [row for row in rows if row["genus"] == genus], keys) for genus in genera]
    tables = {"By genus": _with(by_genus, keys)}
    if not env.quick:
        tables["With more text"] = _more_text(env, texts)
    return Results(_with([mean, *rows], keys), NOTES, tables)


def _more_text(env, texts):
    """Accuracy of the tags of a text alone, and beside more text of the language without tags."""
    rows = []
    for number, fold in enumerate(tested_folds(env, texts)):
        for name in (target.name for target in fold.targets if target.name in MORE_TEXT):
            text, more = (tagged_sentences(read_treebank(env.file(file))) for file in MORE_TEXT[name])
            text, more, tagger = text.limit(MOST), more.limit(MORE), fold_tagger(env, texts, fold, number)
            both = Treebank.from_sentences(sentence.as_dict() for bank in (text, more) for sentence in bank)
            frequent = frequent_words(text, LISTED[1])
            lexicon, row = lexicon_of(tag_counts_of(text), frequent), {"name": name, "paper": None, "more": len(more)}
            for key, bank in (("alone", text), ("ours", both)):
                row[key] = _right(text, tagger.tag(without_tags(bank), lexicon).limit(len(text)))
            rows.append(row)
    return rows


def _mean(name, rows, keys):
    return {"name": name} | {key: float(np.mean([row[key] for row in rows])) for key in keys}


def _with(rows, keys):
    return [{"name": row["name"], "ours": row["200 words"], "paper": None, **{key: row[key] for key in keys}}
            for row in rows]  # fmt: skip


def tag_figures(tagger: DictionaryTagger, text: Treebank) -> dict[str, float]:
    """Percent of tags right by ways of tagging a text; its own tags are what a person would say."""
    bare, answers = without_tags(text), tag_counts_of(text)
    frequent = frequent_words(text, LISTED[-1])
    figures = {}
    for count in LISTED:
        lexicon = lexicon_of(answers, frequent[:count])
        nouns = replace(lexicon, shapes=SHAPES | {OTHER: "NOUN"})
        figures[f"{count} alone"] = _right(text, apply_lexicon(bare, nouns))
        figures[f"{count} words"] = _right(text, tagger.tag(bare, lexicon))
    all_tags = lexicon_of(answers, frequent[: LISTED[1]], SEVERAL)
    figures[f"{LISTED[1]} with all tags"] = _right(text, tagger.tag(bare, all_tags))
    chosen = Lexicon()
    for _ in range(0, LISTED[1], ASKED):
        asked = [word.form for word in words_worth_tagging(bare, chosen, ASKED, tagger=tagger)]
        chosen = lexicon_of(answers, [*chosen.entries, *asked])
    figures[f"{LISTED[1]} chosen"] = _right(text, tagger.tag(bare, chosen))
    return figures


def tree_figures(tagger: DictionaryTagger, parser: UniversalParser, text: Treebank) -> dict[str, float]:
    """Percent of heads right with gold tags, without features, and with the tags of a list."""
    bare, listed = (_without(bank, "feats") for bank in (text, tagged_by_list(text, tagger)))
    texts = {"gold": text, "bare": bare, "best": _without(listed, "misc"), "listed": listed}
    six = in_one_word(answers_of_trees(TaggedWords.of(usable_sentences(text), parser.relations), parser.relations))
    answers = {name: "before" if side < 0 else "after"
               for name, side in zip(NAMES[: len(SIX)], six, strict=False) if not np.isnan(side)}  # fmt: skip
    figures = {}
    for name, bank in texts.items():
        usable = usable_sentences(bank)
        parsed = parser.with_answers(answers).for_text(usable).parse(usable)
        figures[f"uas {name}"] = attachment_scores(usable, parsed, punctuation=True).uas
    return figures


def _right(text, tagged):
    return with_tags(text, tagged, "upos")[1]


def _without(text, name):
    return with_column(text, name, interned(np.zeros(len(text.heads), np.int64), [""]))
