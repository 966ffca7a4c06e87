"""Selection of contexts against a count by hand."""

from collections import Counter, defaultdict

import numpy as np
import pytest

from core.consistency import ContextIndex, ContextSettings, select_contexts
from core.errors import WorkbenchError
from core.treebank import load_sample
from tests.consistency.banks import bank, figure_1


def windows(tags, width):
    """(template, tags, word) of every window of up to ``width`` words of a sentence, counted by hand."""
    for word in range(len(tags)):
        for first in range(word - width + 1, word + 1):
            for last in range(word, first + width):
                if first >= 0 and last < len(tags):
                    yield (first - word, last - word), tuple(tags[first : last + 1]), word


def naive_counts(train):
    """{(template, tags): Counter of (head tag, head within)} of a treebank with xpos tags."""
    counts = defaultdict(Counter)
    for sentence in train:
        for (first, last), tags, word in windows(sentence.xpos[1:], 4):
            head = int(sentence.heads[word + 1])
            tag = "ROOT" if head == 0 else sentence.xpos[head]
            counts[(first, last), tags][tag, head > 0 and first <= head - 1 - word <= last] += 1
    return counts


def naive_choice(train, test, settings):
    """{(sentence, word): the names of the best contexts} as the paper's rules choose, ties left open."""
    known = {}
    for context, heads in naive_counts(train).items():
        by_tag = Counter(tag for tag, _ in heads.elements())
        most, total = max(by_tag.values()), by_tag.total()
        tag = min((t for t in by_tag if by_tag[t] == most), key=lambda t: (t != "ROOT", t))
        if most / total >= settings.threshold and total >= settings.minimum_count:
            inside = 2 * heads[tag, True] > most
            known[context] = (inside if settings.prefer_inside else 0, len(context[1]), total)
    chosen = {}
    for number, sentence in enumerate(test):
        for template, tags, word in windows(sentence.xpos[1:], settings.width):
            if (template, tags) in known:
                name = " ".join(f"*{tag}*" if k == -template[0] else tag for k, tag in enumerate(tags))
                chosen.setdefault((number, word + 1), []).append((known[template, tags], name))
    return {place: {name for worth, name in options if worth == max(options)[0]} for place, options in chosen.items()}


@pytest.mark.parametrize(
    "settings",
    [
        ContextSettings(),
        ContextSettings(threshold=0.8, minimum_count=1),
        ContextSettings(threshold=0.6, minimum_count=3, prefer_inside=False),
        ContextSettings(minimum_count=1, width=2),
    ],
)
def test_selection_matches_the_rules_applied_word_by_word(settings):
    sample = load_sample()
    train, test = sample.limit(60), sample.select(np.arange(60, 100))
    index = ContextIndex(train, test, tags="xpos")
    contexts = index.select(settings)
    expected = naive_choice(train, test, settings)
    found = {}
    for row in np.flatnonzero(contexts.test_contexts >= 0).tolist():
        sentence = int(np.searchsorted(test.offsets, row, side="right")) - 1
        name = index.name(contexts.types[contexts.test_contexts[row]])
        found[sentence, row - int(test.offsets[sentence])] = name
    assert found.keys() == expected.keys()
    assert all(found[place] in expected[place] for place in found)


def test_figure_1_has_one_context_twice_in_test_and_once_in_training():
    train, test = figure_1()
    contexts = select_contexts(train, test, minimum_count=1, width=2, prefer_inside=False)
    rows = {row["name"]: row for row in contexts.rows()}
    row = rows["DT *JJ*"]
    assert (row["test"], row["observed"], row["head"], row["share"]) == (2, 1, "NN", 1.0)
    places = [(found["text"], found["sentence"], found["word"]) for found in contexts.occurrences(row["context"])]
    assert places == [("train", 0, 4), ("test", 0, 2), ("test", 1, 4)]
    heads = [found["head"] for found in contexts.occurrences(row["context"], test.heads)]
    assert heads == ["NN", "NNS", "NN"]
    votes = contexts.votes(test.heads)[row["context"]]
    assert {contexts.index.labels.names[k]: int(votes[k]) for k in np.flatnonzero(votes)} == {"NN": 2, "NNS": 1}


def test_templates_stay_within_the_sentence():
    train = bank("a/A/2 b/B/0", "b/B/0 a/A/1")
    contexts = select_contexts(train, minimum_count=1)
    assert all(name.count("*") == 2 and len(name.split()) <= 2 for name in contexts.names)


def test_head_inside_comes_before_length_and_length_before_count():
    train = bank("x/X/2 y/Y/0 z/Z/2", "x/X/2 y/Y/0 z/Z/2", "x/X/2 y/Y/0 w/W/2")
    test = bank("x/X y/Y z/Z")
    assert "*X* Y Z" in select_contexts(train, test, minimum_count=1).names
    assert "*X* Y" in select_contexts(train, test, minimum_count=3).names
    root = [name for name in select_contexts(train, test, minimum_count=1).names if "*Y*" in name]
    assert root == ["X *Y* Z"]  # ROOT is never inside: then the longest


def test_thresholds_move_counts_and_say_what_they_add_and_drop():
    train = bank("x/X/2 y/Y/0", "x/X/2 y/Y/0", "x/X/0 y/Y/1", "y/Y/0")
    index = ContextIndex(train, bank("x/X y/Y", "y/Y"))
    strict = index.select(ContextSettings(threshold=1.0, minimum_count=1))
    loose = index.select(ContextSettings(threshold=0.6, minimum_count=1))
    assert strict.names == [] and sorted(loose.names) == ["*X* Y", "*Y*", "X *Y*"]
    changes = strict.changes(loose)
    assert changes["added"] == loose.names and changes["gained"] == 3 and changes["lost"] == changes["moved"] == 0
    assert loose.changes(strict)["lost"] == 3
    assert loose.statistics()["coverage"] == 100.0 and strict.statistics()["median_size"] is None
    with pytest.raises(WorkbenchError, match="only selections from the same texts"):
        strict.changes(ContextIndex(train).select())


def test_table_1_counts_context_types():
    train = bank(*["x/X/2 y/Y/0"] * 7, *["x/X/0 y/Y/1"] * 3)
    table = ContextIndex(train).table(minimum_count=10)
    assert [row["count"] for row in table] == [4, 1]  # *X*, *X* Y, *Y*, X *Y*; of these only *X* Y holds the head
    assert table[0]["shares"][0.7] == 100.0 and table[0]["shares"][0.8] == 0.0
    assert ContextIndex(train).table(minimum_count=11)[0]["shares"][0.7] is None


def test_nothing_selected_says_why():
    train = bank("x/X/2 y/Y/0", "x/X/0 y/Y/1")
    with pytest.raises(WorkbenchError, match=r"no context reaches a share of 1 .* the best share is 0.50"):
        select_contexts(train, minimum_count=2)
    with pytest.raises(WorkbenchError, match="no context is that frequent"):
        select_contexts(train, minimum_count=9)


def test_texts_without_a_shared_context_are_refused():
    """X and Y alone may have any head; together they are sure of it, but the test text never has them together."""
    train = bank("x/X/2 y/Y/0", "y/Y/2 x/X/0")
    assert len(select_contexts(train, minimum_count=1))
    with pytest.raises(WorkbenchError, match="share no context that these settings trust"):
        select_contexts(train, bank("x/X", "y/Y"), minimum_count=1)


def test_different_tag_sets_are_refused():
    train = bank("x/X/2 y/Y/0")
    with pytest.raises(WorkbenchError, match=r"different tag sets: 67% of the test words .*Q"):
        select_contexts(train, bank("x/Q y/Q x/X"))
    universal = load_sample().limit(3)
    assert universal.upos.filled
    only_upos = bank("x/X/2 y/Y/0")
    with pytest.raises(WorkbenchError, match="no word has a tag in upos"):
        select_contexts(only_upos, tags="upos")


def test_text_without_trees_is_refused():
    with pytest.raises(WorkbenchError, match="no word with a tag and a head"):
        select_contexts(bank("x/X y/Y"))


def test_close_labels_by_default_and_by_mapping():
    train = bank("x/NN/2 y/VBD/0 z/NNS/2", "x/NNP/2 y/VBZ/0")
    labels = ContextIndex(train).labels
    kind = dict(zip(labels.names, labels.classes.tolist(), strict=True))
    assert kind["NN"] == kind["NNS"] == kind["NNP"] and kind["VBD"] == kind["VBZ"]
    assert len({kind["NN"], kind["VBD"], kind["ROOT"]}) == 3
    own = ContextIndex(train, close={"NN": "a", "VBD": "a"}).labels
    kind = dict(zip(own.names, own.classes.tolist(), strict=True))
    assert kind["NN"] == kind["VBD"] != kind["NNS"] and kind["NNS"] != kind["NNP"]
    with pytest.raises(WorkbenchError, match="there is no tag 'QQ' here"):
        ContextIndex(train, close={"QQ": "a"})
