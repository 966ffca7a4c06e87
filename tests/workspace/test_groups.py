"""Named groups: what each kind holds, undo, one sentence for what is wrong; and parses judged by them."""

import numpy as np
import pytest

from core.errors import WorkbenchError
from core.search.browse import Query, sentences_conllu
from core.trees.brackets import satisfies
from core.workspace.arc_lists import ListedArcs
from core.workspace.compare.opening import opened_words
from core.workspace.compare.side_by_side import OWN, side_by_side
from core.workspace.compare.tables import disputed
from core.workspace.compare.tallies import (
    WORDS,
    bracket_tallies,
    constraint_tallies,
    group_tallies,
    tally_table,
)
from core.workspace.constraints.constraint_set import save_text
from core.workspace.corpora import text_brackets
from core.workspace.groups import (
    WordGroup,
    by_indices,
    by_lengths,
    by_query,
    by_relation,
    by_request,
    by_sentences,
    by_words,
    group_mask,
    group_sentences,
    group_sentences_of_part,
    group_table,
    groups,
    remove_group,
    restrict_order,
    save_group,
    word_count,
)
from core.workspace.parses import offered_parses
from core.workspace.registry import Systems
from core.workspace.wording import share_and_count

# two sentences; word 2 of the first is a subject, word 1 of the second a passive one
TEXT = """# sent_id = one
1\tThe\tthe\tDET\t_\t_\t2\tdet\t_\t_
2\tcats\tcat\tNOUN\t_\t_\t3\tnsubj\t_\t_
3\tsleep\tsleep\tVERB\t_\t_\t0\troot\t_\t_

# sent_id = two
# markup = b 1-2
1\tCats\tcat\tNOUN\t_\t_\t2\tnsubj:pass\t_\t_
2\tseen\tsee\tVERB\t_\t_\t0\troot\t_\t_

"""
SUBJECTS = "pattern { V -[nsubj|nsubj:pass]-> S }"


@pytest.fixture
def corpus(add):
    return add("two.conllu", TEXT)


@pytest.fixture
def compared(workspace, corpus):
    return side_by_side(Systems(workspace), corpus, offered_parses(Systems(workspace), corpus))


@pytest.mark.parametrize(
    ("definition", "rows"),
    [  # rows: root 0, words 1 to 3, root 4, words 5 and 6
        (by_request(SUBJECTS, "S"), [2, 5]),
        (by_request("pattern { D [upos=DET] }"), [1, 2, 3]),
        (by_lengths(1, 2), [5, 6]),
        (by_lengths(3), [1, 2, 3]),
        (by_relation("nsubj"), [2]),
        (by_relation("nsubj:*"), [2, 5]),
        (by_sentences([2, 2]), [5, 6]),
        (by_query(Query(column="upos", value="DET")), [1, 2, 3]),
    ],
)
def test_each_kind_of_group_holds_its_words(workspace, corpus, definition, rows):
    group = save_group(workspace, corpus, "mine", definition)
    treebank = workspace.treebank(corpus)
    assert np.flatnonzero(group_mask(treebank, group)).tolist() == rows
    assert group_sentences(treebank, group).tolist() == sorted({int(row >= 4) for row in rows})
    table = group_table(workspace, corpus)
    assert (table["words"], table["problem"]) == ([len(rows)], [""])
    assert groups(workspace.store, corpus) == [group]


def test_groups_come_and_go_by_commands(workspace, corpus, add):
    group = save_group(workspace, corpus, "short", by_lengths(1, 2))
    second = save_group(workspace, corpus, "subjects", by_relation("nsubj"))
    assert [each.key for each in groups(workspace.store, corpus)] == [f"{corpus.id}/1", f"{corpus.id}/2"]
    assert groups(workspace.store, add("other.conllu", TEXT)) == []
    workspace.store.undo(corpus.project)  # the other text
    remove_group(workspace.store, corpus, group.key)
    assert groups(workspace.store, corpus) == [second]
    workspace.store.undo(corpus.project)
    assert groups(workspace.store, corpus) == [group, second]
    workspace.store.undo(corpus.project)
    assert groups(workspace.store, corpus) == [group]
    with pytest.raises(WorkbenchError, match="gone already"):
        remove_group(workspace.store, corpus, second.key)


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda: by_lengths(5, 2), "no sentence has 5 to 2 words"),
        (lambda: by_relation(" "), "a relation is missing"),
        (lambda: by_sentences([]), "no sentence is picked"),
        (lambda: by_words(None, [], []), "no word is picked"),
        (lambda: by_request(SUBJECTS, "X"), "no word X; choose V, S"),
        (lambda: by_request("pattern {"), "line 1"),
        (lambda: by_relation("vocative"), "no word of this text is in group mine"),
        (lambda: by_sentences([3]), "sentence 3 is not in this text any more, which has 2"),
    ],
)
def test_what_is_no_group_is_refused_in_a_sentence_and_not_kept(workspace, corpus, make, why):
    with pytest.raises(WorkbenchError, match=why):
        save_group(workspace, corpus, "mine", make())
    assert groups(workspace.store, corpus) == []


def test_a_name_is_needed_and_taken_once(workspace, corpus):
    save_group(workspace, corpus, "mine", by_lengths(1))
    with pytest.raises(WorkbenchError, match="there is a group mine"):
        save_group(workspace, corpus, " mine ", by_lengths(1))
    with pytest.raises(WorkbenchError, match="Give the group a name"):
        save_group(workspace, corpus, "  ", by_lengths(1))


def test_parses_are_judged_on_groups_with_numerator_and_denominator(workspace, corpus, compared):
    save_group(workspace, corpus, "subjects", by_request(SUBJECTS, "S"))
    (tally,), problems = group_tallies(workspace, corpus, compared)
    # attach right hangs every word on the next one and the last on the root, attach left the other way round
    assert tally.counts == {"attach left": (0, 2), "attach right": (2, 2)}
    assert tally.rows["attach left"].tolist() == tally.rows[WORDS].tolist() == [2, 5]
    assert tally_table((tally,), compared.names)["attach right"] == ["100.0%"]
    assert tally_table((tally,), compared.names)["of"] == [2]
    assert problems == []
    rows, title = opened_words(workspace, corpus, compared, ("tally", "group", "subjects", "attach left"))
    assert (rows.tolist(), title) == ([2, 5], "Words of subjects that attach left gets wrong")
    remove_group(workspace.store, corpus, groups(workspace.store, corpus)[0].key)
    rows, _ = opened_words(workspace, corpus, compared, ("tally", "group", "subjects", "attach left"))
    assert rows.tolist() == disputed(compared).tolist()


def test_a_group_that_cannot_be_found_is_a_sentence_beside_the_others(workspace, corpus, compared):
    group = save_group(workspace, corpus, "mine", by_sentences([2]))
    before = workspace.store.document(corpus.project, "group", group.key)
    after = {"name": "mine", "definition": {"by": "sentences", "sentences": [7]}}
    workspace.store.remember(corpus.project, "group", group.key, after)
    save_group(workspace, corpus, "short", by_lengths(1, 2))
    tallies, problems = group_tallies(workspace, corpus, compared)
    assert [tally.name for tally in tallies] == ["short"]
    assert problems == ["group mine: sentence 7 is not in this text any more, which has 2; pick others"]
    assert before["definition"]["sentences"] == [2]


def test_constraints_are_counted_in_every_parse_and_open_words(workspace, corpus, compared):
    save_text(workspace.store, corpus, "DET <- NOUN = 1.0\nADJ <- NOUN = 0.5\nNOUN <- VERB = 0.4\n", "typing")
    tallies, problems = constraint_tallies(workspace, corpus, compared)
    assert [tally.name for tally in tallies] == ["DET <- NOUN", "NOUN <- VERB"]
    # attach left: The <- root, cats <- The, sleep <- cats; attach right: The <- cats <- sleep <- root
    assert tallies[0].counts == {OWN: (1, 1), "attach left": (0, 1), "attach right": (1, 1)}
    assert tallies[0].met == {OWN: True, "attach left": False, "attach right": True}
    assert tallies[0].rows["attach left"].tolist() == [1] and tallies[0].rows[OWN].tolist() == []
    assert tallies[1].counts["attach left"] == (0, 2)
    assert problems == ["line 2, ADJ <- NOUN, matches nothing in these sentences"]


def test_a_group_has_its_places_in_a_part_of_the_text(workspace, sample):
    whole = workspace.treebank(sample)
    group = save_group(workspace, sample, "some", by_sentences([3, 8, 20, 41]))
    part = whole.select([40, 7, 100])
    assert group_sentences_of_part(whole, part, group).tolist() == [0, 1]
    assert group_sentences_of_part(whole, whole, group).tolist() == [2, 7, 19, 40]
    assert by_indices(part, [1, 0, 1]) == by_sentences([8, 41])
    assert word_count(part, [0, 2]) == len(whole[40]) + len(whole[100])
    with pytest.raises(WorkbenchError, match="none of these 1 sentences is in group some"):
        group_sentences_of_part(whole, whole.select([100]), group)


def test_words_are_kept_one_by_one_by_their_places_in_the_text(workspace, corpus, sample):
    treebank = workspace.treebank(corpus)
    definition = by_words(treebank.select([1, 0]), [1, 0, 1], [3, 2, 3])
    assert definition == {"by": "words", "words": [[1, 3], [2, 2]]}
    group = save_group(workspace, corpus, "mine", definition)
    assert np.flatnonzero(group_mask(treebank, group)).tolist() == [3, 6]
    assert group.description == "2 words picked by hand" and group_table(workspace, corpus)["sentences"] == [2]
    bare = workspace.treebank(sample).without_punctuation()  # whose words have other numbers
    last = bare.lengths[:3]
    kept = group_mask(workspace.treebank(sample), WordGroup("", "last", by_words(bare, [0, 1, 2], last)))
    whole = workspace.treebank(sample)
    assert [whole.form.values[k] for k in whole.form.ids[kept]] == [bare[k].forms[-1] for k in range(3)]


@pytest.mark.parametrize("words", [[[1, 4]], [[3, 1]], [[1, 1], [9, 9]]])
def test_words_that_are_not_there_any_more_are_named(workspace, corpus, words):
    with pytest.raises(WorkbenchError, match=r"group mine: word \d of sentence \d is not in this text any more"):
        group_mask(workspace.treebank(corpus), WordGroup("", "mine", {"by": "words", "words": words}))


def test_sentences_found_leave_as_a_file_in_the_order_of_the_text(workspace, corpus):
    treebank = workspace.treebank(corpus)
    assert sentences_conllu(treebank, [1, 0, 1]) == TEXT
    assert sentences_conllu(treebank.select([1]), [0]).startswith("# sent_id = two")


def test_what_is_listed_keeps_its_order_within_a_group():
    assert restrict_order([5, 2, 9, 0], [0, 5, 7]).tolist() == [5, 0]
    assert restrict_order([5, 2], range(3)).tolist() == [2]
    numbers = np.array([4, 1, 4])
    arcs = ListedArcs(numbers, numbers + 1, numbers + 2, numbers + 3).within([4])
    assert (arcs.sentences.tolist(), arcs.others.tolist()) == ([4, 4], [7, 7])
    assert ListedArcs(numbers, numbers, numbers).within([1]).others is None


def test_brackets_are_counted_as_the_definition_says(workspace, sample):
    found = side_by_side(Systems(workspace), sample, offered_parses(Systems(workspace), sample))
    marks = text_brackets(found.comparison.text, "sample")
    tallies, problems = bracket_tallies(workspace, sample, found)
    assert [tally.name for tally in tallies] == ["tear", "sprawl", "loose", "strict"] and problems == []
    total = sum(map(len, marks))
    for tally in tallies[2:]:
        for name, bank in {OWN: found.comparison.gold, **found.comparison.systems}.items():
            kept = sum(
                satisfies(bank[index].heads, bracket, tally.name)
                for index, brackets in enumerate(marks)
                for bracket in brackets
            )
            assert tally.counts[name] == (kept, total)
            assert bool(len(tally.rows[name])) == (kept < total)


def test_a_share_sorts_as_text_and_nothing_of_nothing_is_none():
    assert share_and_count(1, 20) < share_and_count(9, 20) < share_and_count(20, 20)
    assert share_and_count(0, 0) == "none"
