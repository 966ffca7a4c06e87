"""Sentences that are split and merged: all versions follow, other sentences keep what is stored of them."""

import random
from contextlib import suppress
from dataclasses import replace
from functools import partial

import pytest

from core.annotation.word_edits import delete_word, split_word
from core.errors import StoreError, WorkbenchError
from core.search import parse_request, propose
from core.store.shapes import TREE, WORDS
from core.treebank import Treebank, conllu_text, read_conllu
from core.workspace.annotate.check import draw
from core.workspace.annotate.lists import PlaceList, keep_list, kept_list
from core.workspace.annotate.steps import Answered, answer
from core.workspace.annotations import Annotations, states_by_layer
from core.workspace.constraints.inputs import GRAMMAR, KIND
from core.workspace.corpus.rewriting import change_words, changes_words_alone
from core.workspace.corpus.tagging import tag_by
from core.workspace.groups import by_sentences, by_words, group_mask, groups, save_group
from core.workspace.parses import load_parse, words_changed_since
from core.workspace.random_sample import drawn
from core.workspace.registry import Systems
from core.workspace.sentence_editing import PLANS, merge_with_next, split_at
from core.workspace.sentence_order import PARTS, SentenceOrder
from core.workspace.word_tags import STATE
from tests.filled import filled
from tests.workspace.running import ended
from tests.workspace.test_changed_words import Keys, edit
from tests.workspace.test_standing import correct

TEXT = """# newdoc id = port
# newpar
# sent_id = sea
# text = Plou i trona, marxem.
# text_en = It rains and thunders, we leave.
# markup = a 1-3 | b 5-5
1	Plou	ploure	VERB	_	_	0	root	_	_
2	i	i	CCONJ	_	_	3	cc	_	_
3	trona	tronar	VERB	_	_	1	conj	_	SpaceAfter=No
4	,	,	PUNCT	_	_	5	punct	_	_
5	marxem	marxar	VERB	_	_	1	parataxis	_	SpaceAfter=No
6	.	.	PUNCT	_	_	1	punct	_	_

# newpar
# sent_id = dog
# text = El gos dorm
1	El	el	DET	_	_	2	det	_	_
2	gos	gos	NOUN	_	_	3	nsubj	_	_
3	dorm	dormir	VERB	_	_	0	root	_	_

# sent_id = cat
# text = La gata surt
1	La	el	DET	_	_	2	det	_	_
2	gata	gata	NOUN	_	_	3	nsubj	_	_
3	surt	sortir	VERB	_	_	0	root	_	_

# newdoc id = hill
# sent_id = hill
# text = Puja al cim
1	Puja	pujar	VERB	_	_	0	root	_	_
2-3	al	_	_	_	_	_	_	_	_
2	a	a	ADP	_	_	4	case	_	_
3	el	el	DET	_	_	4	det	_	_
4	cim	cim	NOUN	_	_	1	obl	_	_

"""


@pytest.fixture
def text(add):
    return add("port.conllu", TEXT)


def shown(workspace, corpus, layer=""):
    return conllu_text(workspace.of_version(layer).standing(corpus).treebank)


def forms(workspace, corpus, layer=""):
    return [" ".join(sentence.forms[1:]) for sentence in workspace.of_version(layer).standing(corpus).treebank]


def everything(workspace, corpus):
    layers = ("", "Ann")
    versions = [workspace.of_version(layer) for layer in layers]
    return {
        "shown": [shown(workspace, corpus, layer) for layer in layers],
        "learnt from": [conllu_text(version.treebank(corpus)) for version in versions],
        "keys": [(version.shown_key(corpus), version.corpus_key(corpus)) for version in versions],
        "groups": [group.definition for group in groups(workspace.store, corpus)],
        "drawn": drawn(workspace.store, corpus),
        "documents": workspace.store.documents(corpus.project),
    }


def test_after_a_split_all_follows_in_one_step_and_other_sentences_keep_what_is_stored(workspace, text):
    correct(workspace, text, 0, layer="Ann", heads=[3, 3, 0, 5, 3, 3])
    correct(workspace, text, 2, layer="Ann", heads=[3, 1, 0])
    save_group(workspace, text, "some", by_words(workspace.treebank(text), [0, 0, 2], [3, 5, 2]))
    save_group(workspace, text, "whole", by_sentences([1, 3]))
    draw(workspace.store, text, 4, size=4)
    before = everything(workspace, text)
    entry = split_at(workspace, text, 0, 4, "Ann")
    sentences = [command.key.split("/")[1] for command in entry.commands if command.kind in (TREE, STATE, WORDS)]
    assert {*sentences} == {"1", str(PARTS + 1)}

    assert forms(workspace, text) == ["Plou i trona", ", marxem .", "El gos dorm", "La gata surt", "Puja a el cim"]
    standing = workspace.standing(text).treebank
    assert [sentence.sent_id for sentence in standing] == ["sea-1", "sea-2", "dog", "cat", "hill"]
    assert standing[1].heads[1:].tolist() == [2, 0, 2] and standing[1].deprels[2] == "root"
    lines = shown(workspace, text)
    assert "# text = Plou i trona\n" in lines and "# text = , marxem.\n# markup = b 2-2\n" in lines
    assert "# text_en = It rains and thunders, we leave.\n# markup = a 1-3\n# comments_of = sea\n" in lines
    hers = workspace.of_version("Ann").standing(text).treebank
    assert hers[0].heads[1:].tolist() == [3, 3, 0] and hers[1].heads[1:].tolist() == [2, 0, 2]
    assert hers[3].heads[1:].tolist() == [3, 1, 0]  # of another sentence, by its name
    some, whole = groups(workspace.store, text)
    assert some.definition["words"] == [[1, 3], [2, 2], [4, 2]] and group_mask(standing, some).sum() == 3
    assert whole.definition["sentences"] == [1, 2, 4]
    assert sorted(drawn(workspace.store, text)["sentences"]) == [0, 1, 2, 3, 4]
    assert drawn(workspace.store, text)["of"] == 5
    assert {index: state.status for index, state in states_by_layer(workspace.store, text)["Ann"].items()} == {
        0: "begun", 1: "begun", 3: "done",
    }  # fmt: skip
    layer = Annotations(workspace, text, "Ann")
    assert layer.words(0)["unchecked"] == [] and layer.words(1)["unchecked"] == [2, 3]

    after = everything(workspace, text)
    workspace.store.undo(text.project)
    assert everything(workspace, text) == before
    workspace.store.redo(text.project)
    assert everything(workspace, text) == after


def test_merging_the_parts_of_a_split_gives_back_file_and_trees(workspace, text):
    correct(workspace, text, 0, layer="Ann", heads=[3, 3, 0, 5, 3, 3])
    edit(workspace, text, 1, split_word, number=2, parts=["g", "os"])
    save_group(workspace, text, "some", by_words(workspace.treebank(text), [0, 0, 2], [3, 5, 2]))
    before, words = shown(workspace, text, "Ann"), workspace.store.documents(text.project, WORDS)
    splits = ((0, 4), (1, 2), (0, 2), (4, 2))
    for index, number in splits:
        split_at(workspace, text, index, number, "Ann")
    assert forms(workspace, text)[:6] == ["Plou", "i trona", ",", "marxem .", "El", "g os dorm"]
    for index, _ in splits[::-1]:
        merge_with_next(workspace, text, index, "Ann")
    assert shown(workspace, text, "Ann") == before and workspace.store.documents(text.project, WORDS) == words


def test_sentences_that_were_apart_are_merged_and_what_is_stored_follows(workspace, text):
    correct(workspace, text, 2, "done", layer="Ann", heads=[3, 1, 0])
    save_group(workspace, text, "some", by_words(workspace.treebank(text), [1, 2, 3], [2, 2, 4]))
    save_group(workspace, text, "whole", by_sentences([3, 4]))
    draw(workspace.store, text, 4, size=2, known=[0, 1])
    before = everything(workspace, text)
    merge_with_next(workspace, text, 1)
    assert forms(workspace, text)[1:] == ["El gos dorm La gata surt", "Puja a el cim"]
    merged = workspace.standing(text).treebank[1]
    assert merged.sent_id == "dog" and merged.heads[1:].tolist() == [2, 3, 0, 5, 6, 3]
    assert merged.deprels[6] == "parataxis" and merged.text == "El gos dorm La gata surt"
    hers = workspace.of_version("Ann").standing(text).treebank[1]
    assert hers.heads[1:].tolist() == [2, 3, 0, 6, 4, 3]
    some, whole = groups(workspace.store, text)
    assert some.definition["words"] == [[2, 2], [2, 5], [3, 4]] and whole.definition["sentences"] == [2, 3]
    assert sorted(drawn(workspace.store, text)["sentences"]) == [1, 2]
    assert Annotations(workspace, text, "Ann").state(1).status == "begun"
    assert Annotations(workspace, text).words(1)["unchecked"] == [6]
    merge_with_next(workspace, text, 0)
    assert "7\tEl\tel\tDET\t_\t_\t8\tdet\t_\tNewPar=Yes" in shown(workspace, text)
    split_at(workspace, text, 0, 7)
    assert shown(workspace, text).count("# newpar\n") == 2 and "NewPar" not in shown(workspace, text)
    for _ in range(3):
        workspace.store.undo(text.project)
    assert everything(workspace, text) == before


def test_what_is_marked_to_learn_from_follows(workspace, text):
    systems = Systems(workspace)
    for system in filled([systems[kind] for kind in systems if kind in (KIND, GRAMMAR)]):
        system.save(text, "marking", marked=(1, 3))
        split_at(workspace, text, 0, 4)
        assert system.plan(text).marked == (1, 2, 4)
        system.save(text, "marking", marked=(2, 3))
        assert system.plan(text).marked == (2, 3)
        merge_with_next(workspace, text, 0)
        assert system.plan(text).marked == (1, 2)
        assert system.document in PLANS


def test_a_run_keeps_its_trees_of_all_sentences_whose_words_are_the_same(workspace, ge, text):
    systems = Systems(workspace)
    run = ended(ge, ge.train(ge.text(text), "DET <- NOUN = 0.9\nNOUN <- VERB = 0.9\n"))
    parse = load_parse(systems, text, f"run-{run.id}")
    split_at(workspace, text, 1, 2)
    after = load_parse(systems, text, f"run-{run.id}")
    assert after.picks.tolist() == [0, 3, 4] and after.heads.tolist() == [
        *parse[0].heads, *parse[2].heads, *parse[3].heads,
    ]  # fmt: skip
    assert words_changed_since(workspace, text, run) == {1, 2}
    merge_with_next(workspace, text, 1)
    assert load_parse(systems, text, f"run-{run.id}").picks.tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (lambda workspace, text: split_at(workspace, text, 0, 1), "before its second word"),
        (lambda workspace, text: split_at(workspace, text, 0, 7), "there is no word 7"),
        (lambda workspace, text: split_at(workspace, text, 3, 3), "split elsewhere"),
        (lambda workspace, text: split_at(workspace, text, 4, 2), "there is no sentence 5"),
        (lambda workspace, text: merge_with_next(workspace, text, 3), "sentence 4 is the last one of port.conllu"),
        (lambda workspace, text: merge_with_next(workspace, text, 2), "within one document"),
        (lambda workspace, text: merge_with_next(workspace, text, -1), "there is no sentence 0"),
    ],
)
def test_what_cannot_be_split_or_merged_is_said_and_nothing_is_written(workspace, text, edit, said):
    before = everything(workspace, text)
    with pytest.raises(WorkbenchError, match=said):
        edit(workspace, text)
    assert everything(workspace, text) == before


def test_an_undo_is_refused_where_somebody_has_written_in_a_part_since(workspace, text):
    split_at(workspace, text, 0, 4)
    now, execute = shown(workspace, text), workspace.store.execute
    try:
        workspace.store.execute = partial(execute, author="Bo")
        correct(workspace, text, 1, layer="Bo", heads=[0, 1, 1])
    finally:
        del workspace.store.execute
    with pytest.raises(
        StoreError, match=rf"Cannot undo splitting sentence 1: tree '\d+/{PARTS + 1}/Bo' was changed by Bo at .*again$"
    ):
        workspace.store.undo(text.project)
    keys = Keys(workspace, text)
    keys.was = None
    assert keys.send("undo").startswith("Cannot undo splitting sentence 1: sentence 2 was changed by Bo at")
    assert shown(workspace, text) == now and hers(workspace, text, "Bo", 1) == [0, 1, 1]


def hers(workspace, corpus, layer, index):
    return workspace.of_version(layer).standing(corpus).treebank[index].heads[1:].tolist()


def test_keys_split_and_merge_sentences_and_steps_keep_to_their_sentence(workspace, text):
    mine, other = Keys(workspace, text), Keys(workspace, text, "Ann")
    correct(workspace, text, 0, layer="Ann", heads=[3, 3, 0, 5, 3, 3])
    assert mine.send(edit="split-sentence", word=4) == ""
    assert mine.answered.message == "splitting sentence 1; Ann has a tree of this sentence, which changed too"
    answer(workspace, text, [mine.last], Answered())  # another process knows nothing of it
    assert len(workspace.standing(text).treebank) == 5
    assert "has been changed since" in other.send("attach", word=1, head=3, relation="dep")
    for session in ("undo", "redo"):
        assert mine.send(session) == "" and mine.answered.index == 0
    mine.look()
    assert mine.send(edit="merge-sentences", word=1) == "" and shown(workspace, text) == TEXT
    assert mine.answered.message.startswith("merging sentences 1 and 2; Ann has a tree")
    step = mine.last | {"id": "gone", "sentence": 4, "edit": "form", "forms": ["a"]}
    answered = Answered()
    answer(workspace, text, [step], answered)
    assert "there is no sentence 5" in answered.refused[1]
    merge_with_next(workspace, text, 1)
    answer(workspace, text, [step | {"id": "merged", "sentence": 2}], answered)
    assert answered.refused[1].startswith("this sentence has been merged with the one before it since")
    mine.look()
    assert mine.send(edit="split-sentence", word=1).startswith("a sentence is split before its second word")


def rewritten(workspace, corpus, request, layer=""):
    """The Rewritten of all hits of a request in the text itself."""
    treebank = workspace.of_version(layer).standing(corpus).treebank
    proposals = propose(treebank, parse_request(request))[1]
    chosen = {proposal.hit for proposal in proposals}
    assert changes_words_alone(proposals, chosen)
    return change_words(workspace, corpus, treebank, proposals, chosen, layer)


def test_a_request_splits_and_merges_many_sentences_in_one_step_that_one_undo_takes_back(workspace, text):
    correct(workspace, text, 1, layer="Ann", heads=[0, 1, 1])
    save_group(workspace, text, "some", by_words(workspace.treebank(text), [0, 2, 3], [3, 3, 1]))
    draw(workspace.store, text, 4, size=4)
    before = everything(workspace, text)
    split = "pattern { X [upos=VERB]; Y []; Y < X } commands { split_sentence X }"
    done = rewritten(workspace, text, split)
    assert (done.corpus, done.done, done.refused) == (text.id, 3, 1)
    assert done.reason.startswith("an earlier hit changes this sentence too")
    parts = ["Plou i", "trona , marxem .", "El gos", "dorm", "La gata", "surt", "Puja a el cim"]
    assert forms(workspace, text) == parts
    assert hers(workspace, text, "Ann", 2) == [0, 1] and hers(workspace, text, "Ann", 3) == [0]
    (some,) = groups(workspace.store, text)
    assert [sentence for sentence, _ in some.definition["words"]] == [2, 6, 7]
    assert drawn(workspace.store, text)["of"] == 7 and len(drawn(workspace.store, text)["sentences"]) == 7
    assert workspace.store.next_undo(text.project).label == "splitting 3 sentences"
    workspace.store.undo(text.project)
    assert everything(workspace, text) == before
    workspace.store.redo(text.project)

    done = rewritten(workspace, text, "pattern { X [lemma=i|el] } commands { merge_sentence X }")
    assert (done.done, done.refused) == (3, 1) and "the last one" in done.reason  # the parts are as they were
    assert everything(workspace, text)["shown"] == before["shown"] and drawn(workspace.store, text)["of"] == 4
    done = rewritten(workspace, text, "pattern { X [upos=NOUN|CCONJ] } commands { merge_sentence X }")
    assert (done.done, done.refused) == (1, 3)  # behind a merged one, before a document, the last
    assert forms(workspace, text) == ["Plou i trona , marxem . El gos dorm", "La gata surt", "Puja a el cim"]
    assert workspace.store.next_undo(text.project).label == "merging 1 sentence with the next"


def test_random_edits_are_undone_and_redone_and_other_sentences_keep_their_trees(workspace, text):
    rng = random.Random(7)
    correct(workspace, text, 3, layer="Ann", heads=[4, 1, 1, 0])
    states = [(workspace.store.newest(text.project), everything(workspace, text))]
    for _ in range(60):
        bank = workspace.source(text)
        index = rng.randrange(len(bank))
        number, layer = rng.randint(1, len(bank[index])), rng.choice(["", "Ann"])
        edits = (
            partial(split_at, workspace, text, index, number, layer),
            partial(merge_with_next, workspace, text, index, layer),
            partial(edit, workspace, text, index, split_word, number=number, parts=["a", "b"]),
            partial(correct, workspace, text, index, "begun", layer="Ann", upos=["X"] * len(bank[index])),
        )
        with suppress(WorkbenchError):
            rng.choice(edits)()
        if workspace.store.newest(text.project) == states[-1][0]:
            continue
        states.append((workspace.store.newest(text.project), everything(workspace, text)))
        for sentence in read_conllu(shown(workspace, text, layer).encode()):
            assert sentence.heads[1:].tolist().count(0) == 1
    assert len(states) > 30
    for number, state in states[-2::-1]:
        assert workspace.store.undo(text.project).label and everything(workspace, text) == state, number
    assert shown(workspace, text) == TEXT


def test_documents_of_another_hand_leave_the_other_sentences_as_they_are(workspace, text):
    split_at(workspace, text, 0, 4)
    ((_, key), values) = list(workspace.store.documents(text.project, WORDS).items())[1]
    for wrong in ({"block": "1\tone\n\n"}, {"block": ""}, {"after": 4}, {"after": 900}):
        workspace.store.remember(text.project, WORDS, key, values | wrong)
        assert forms(workspace, text)[-3:] == ["El gos dorm", "La gata surt", "Puja a el cim"], wrong


def test_lists_that_are_gone_through_follow(workspace, text):
    places = PlaceList("hits", "Hits", ((0, 5), (1, 2), (0, 0), (2, 3)), "corpus", {})
    keep_list(workspace.store, text, places)

    def listed():
        return kept_list(workspace.store, text, "hits", places.key, workspace.source(text)).places

    split_at(workspace, text, 0, 4)
    assert listed() == ((1, 2), (2, 2), (0, 0), (3, 3))
    edit(workspace, text, 2, split_word, number=1, parts=["E", "l"])
    edit(workspace, text, 3, delete_word, number=3)
    assert listed() == ((1, 2), (2, 3), (0, 0), (3, 0))
    merge_with_next(workspace, text, 2)
    assert listed() == ((1, 2), (2, 3), (0, 0), (2, 0))
    later = replace(places, words=workspace.corrections(text).words_key(""))
    keep_list(workspace.store, text, later)
    assert later.key != places.key
    for _ in range(4):
        workspace.store.undo(text.project)
    assert listed() == places.places


def test_a_split_and_a_merge_give_back_the_file_of_any_treebank(workspace, add, shared_data):
    rng, texts, split = random.Random(4), [], 0
    for path in sorted(shared_data.rglob("*.conllu")):
        blocks = path.read_text(encoding="utf-8").rstrip("\n").split("\n\n")
        at = rng.randrange(len(blocks))
        texts.append("\n\n".join(blocks[at : at + 3]) + "\n\n")
    for number, text in enumerate(filled(texts)):
        corpus = add(f"{number}.conllu", text)
        bank = workspace.source(corpus)
        index = rng.randrange(len(bank))
        with suppress(WorkbenchError):  # one word, or within a token
            split_at(workspace, corpus, index, rng.randint(1, len(bank[index])))
            assert len(workspace.standing(corpus).treebank) == len(bank) + 1
            merge_with_next(workspace, corpus, index)
            split += 1
        assert shown(workspace, corpus) == text, number
    assert split > len(texts) / 2


def test_names_and_places_are_inverse():
    rng = random.Random(2)
    for _ in range(200):
        words, count = {}, 6
        for _ in range(rng.randint(0, 8)):
            order = SentenceOrder.of(words)
            places = [*order.names(count)]
            assert [order.place(name) for name in places] == [*range(len(places))]
            assert [order.name(place) for place in range(len(places))] == places
            at = rng.randrange(len(places))
            if rng.random() < 0.5 and at + 1 < len(places):
                gone = places[at + 1]
                words[gone] = words.get(gone, {}) | {"block": "", "into": places[at]}
                assert [*SentenceOrder.of(words).names(count)] == [*places[: at + 1], *places[at + 2 :]]
                assert SentenceOrder.of(words).place(gone) is None
            else:
                new = order.free_name(words)
                words[new] = {"block": "1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n\n", "after": places[at]}
                assert [*SentenceOrder.of(words).names(count)] == [*places[: at + 1], new, *places[at + 1 :]]


def test_tags_of_a_tagger_stay_with_their_sentences_whenever_it_read_the_text(workspace, add):
    lines = ("The dog sleeps . It rains", "The old house burns . We leave", "A bird sings")
    bare = Treebank.from_sentences({"forms": line.split()} for line in lines)
    corpus = add("bare.conllu", conllu_text(bare))
    split_at(workspace, corpus, 0, 5)
    merge_with_next(workspace, corpus, 1)
    tag_by(workspace, corpus, "english")
    before = workspace.standing(corpus).treebank
    assert [len(sentence) for sentence in before] == [4, 9, 3] and all(before.upos.strings()[before.is_word])
    edits = (
        partial(split_at, workspace, corpus, 1, 3),
        partial(edit, workspace, corpus, 1, split_word, number=2, parts=["o", "ld"]),
        partial(merge_with_next, workspace, corpus, 0),
    )
    for change in edits:
        change()
        after = workspace.standing(corpus).treebank
        assert after[-1].upos[1:] == before[-1].upos[1:] and all(after.upos.strings()[after.is_word])
    assert len(after) == 3 and after[0].upos[1:7] == (*before[0].upos[1:5], *before[1].upos[1:3])
    for _ in range(3):
        workspace.store.undo(corpus.project)
    assert conllu_text(workspace.standing(corpus).treebank) == conllu_text(before)
    workspace.store.undo(corpus.project)  # the tagger
    workspace.store.undo(corpus.project)  # the merge
    assert len(workspace.standing(corpus).treebank) == 4
