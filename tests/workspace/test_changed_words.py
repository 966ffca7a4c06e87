"""Words changed in one place are changed in all: versions, runs, groups, undo and backups agree."""

import io
import random
from functools import partial

import pytest

from core.annotation.edits import attach
from core.annotation.word_edits import (
    correct_form,
    delete_word,
    dissolve_token,
    insert_word,
    make_token,
    merge_words,
    split_word,
)
from core.errors import StoreError, WorkbenchError
from core.search import all_hits, parse_request, propose
from core.store.shapes import TREE, WORDS
from core.treebank import conllu_text, read_conllu
from core.workspace import Workspace
from core.workspace.annotate.check import draw
from core.workspace.annotate.proposals import missing_tree
from core.workspace.annotate.steps import Answered, answer
from core.workspace.annotate.versions import load_versions, offered_versions
from core.workspace.annotations import Annotations
from core.workspace.corpora import text_brackets
from core.workspace.corpus.rewriting import accepted, change_words, changes_words_alone
from core.workspace.groups import by_words, group_mask, groups, save_group
from core.workspace.parses import add_parse, load_parse, other_cut, words_changed_since
from core.workspace.registry import Systems
from core.workspace.scored_text import scored_text
from core.workspace.stored import stored_kinds
from core.workspace.validation import text_faults
from core.workspace.word_editing import edit_words, places_of
from core.workspace.word_tags import Tagging, save_tagging
from tests.filled import filled
from tests.workspace.running import ended
from tests.workspace.test_standing import correct

TEXT = """# sent_id = ship
# text = Veiem vaixells delport .
# markup = a 2-3 | i 3-3
1	Veiem	veure	VERB	_	_	0	root	_	_
2	vaixells	vaixell	NOUN	_	_	1	obj	_	_
3	delport	delport	NOUN	_	_	2	nmod	_	_
4	.	.	PUNCT	_	_	1	punct	_	_

# sent_id = dog
# text = El gos del port dorm
1	El	el	DET	_	_	2	det	_	_
2	gos	gos	NOUN	_	_	5	nsubj	_	_
3	del	del	ADP	_	_	4	case	_	_
4	port	port	NOUN	_	Number=Sing	2	nmod	_	_
5	dorm	dormir	VERB	_	_	0	root	_	_

# sent_id = cat
# text = El gat dorm
1	El	el	DET	_	_	2	det	_	_
2	gat	gat	NOUN	_	_	3	nsubj	_	_
3	dorm	dormir	VERB	_	_	0	root	_	_

"""


@pytest.fixture
def text(add):
    return add("ships.conllu", TEXT)


def edit(workspace, corpus, index, function, layer="", **arguments):
    change = partial(function, **arguments)
    return edit_words(workspace, corpus, {index: lambda block: places_of(change(block))}, "changing words", layer)


def split_port(workspace, corpus, **options):
    return edit(workspace, corpus, 0, split_word, number=3, parts=["del", "port"], **options)


def everything(workspace, corpus):
    """What pages say of a text, for two moments to be compared."""
    versions = [workspace.of_version(layer) for layer in ("", "Ann")]
    return {
        "shown": [conllu_text(version.standing(corpus).treebank) for version in versions],
        "learnt from": [conllu_text(version.treebank(corpus)) for version in versions],
        "keys": [(version.shown_key(corpus), version.corpus_key(corpus)) for version in versions],
        "brackets": workspace.brackets(corpus),
        "groups": [group.definition for group in groups(workspace.store, corpus)],
        "documents": workspace.store.documents(corpus.project),
    }


def test_after_a_split_all_that_reads_the_text_agrees_and_one_undo_takes_it_back(workspace, text, tmp_path):
    correct(workspace, text, 0, heads=[0, 1, 1, 1])
    correct(workspace, text, 0, layer="Ann", heads=[2, 0, 1, 2], upos=["VERB", "NOUN", "PROPN", "PUNCT"])
    save_group(workspace, text, "ports", by_words(workspace.treebank(text), [0, 0, 1], [3, 4, 4]))
    draw(workspace.store, text, 3, size=2)
    before = everything(workspace, text)
    entry = split_port(workspace, text, layer="Ann")
    assert len([command for command in entry.commands if command.kind == TREE]) == 2

    standing = workspace.standing(text).treebank
    assert [*standing[0].forms[1:]] == ["Veiem", "vaixells", "del", "port", "."] and len(standing) == 3
    assert standing[0].heads[1:].tolist() == [0, 1, 1, 3, 1] and standing[0].deprels[4] == "dep"
    hers = workspace.of_version("Ann").standing(text).treebank
    assert hers[0].heads[1:].tolist() == [2, 0, 1, 3, 2] and hers[0].upos[3] == "PROPN"
    assert conllu_text(standing).partition("# sent_id = dog")[2] == TEXT.partition("# sent_id = dog")[2]
    assert workspace.statistics(text).tokens == 13
    assert [(mark.start, mark.end) for mark in workspace.brackets(text)[0]] == [(2, 5), (3, 5)]

    assert len(all_hits(standing, parse_request("pattern { X [form=port] }"))) == 2
    (group,) = groups(workspace.store, text)
    assert group.definition["words"] == [[1, 3], [1, 5], [2, 4]] and group_mask(standing, group).sum() == 3
    assert Annotations(workspace, text).state(0).status == "begun"  # nobody has looked at the parts
    assert len(scored_text(workspace, text).settled.by_hand) == 0
    versions = load_versions(workspace, text, offered_versions(workspace, text))
    assert {annotations[0].forms[4] for annotations in versions.values()} == {"port"}
    assert text_faults(workspace, text) is not None

    after = everything(workspace, text)
    workspace.store.undo(text.project)
    assert everything(workspace, text) == before
    workspace.store.redo(text.project)
    assert everything(workspace, text) == after
    file = io.BytesIO()
    workspace.store.backup_project(text.project, file)
    other = Workspace.open(f"sqlite:///{tmp_path / 'other.sqlite'}", stored_kinds)
    restored = other.store.restore_backup(file)
    (corpus,) = [each for each in other.store.corpora(restored) if each.name == text.name]
    assert conllu_text(other.of_version("Ann").standing(corpus).treebank) == after["shown"][1]
    other.store.undo(restored)
    assert conllu_text(other.of_version("Ann").standing(corpus).treebank) == before["shown"][1]
    other.store.close()


def test_merging_the_parts_gives_back_the_word_and_the_file(workspace, text):
    correct(workspace, text, 0, layer="Ann", heads=[2, 0, 1, 2])
    hers = Annotations(workspace, text, "Ann").get(0)[0]
    split_port(workspace, text)
    assert workspace.source(text)[0].upos[3] == "NOUN"
    edit(workspace, text, 0, merge_words, first=3, last=4)
    assert conllu_text(workspace.standing(text).treebank) == TEXT
    assert Annotations(workspace, text, "Ann").get(0)[0] == hers
    assert not workspace.store.documents(text.project, WORDS)


def test_an_undo_that_would_take_the_words_from_under_somebodys_tree_is_refused_in_one_sentence(workspace, text):
    split_port(workspace, text)
    shown = conllu_text(workspace.standing(text).treebank)
    ann = workspace.on_behalf_of(None)
    version = Annotations(ann, text, "Ann")
    annotation, was = version.get(0)
    change = version.write
    original = workspace.store.execute
    try:
        workspace.store.execute = partial(original, author="Ann")
        change(0, annotation.with_values({"heads": [0, 1, 1, 1, 1]}), was, "c", "drawing")
    finally:
        del workspace.store.execute
    with pytest.raises(
        StoreError, match=r"Cannot undo changing words: tree '\d+/1/Ann' was changed by Ann at .*again$"
    ):
        workspace.store.undo(text.project)
    assert conllu_text(workspace.standing(text).treebank) == shown
    assert Annotations(workspace, text, "Ann").get(0)[0].heads[1:] == (0, 1, 1, 1, 1)


def test_an_edit_under_somebodys_new_tree_is_refused_and_nothing_is_written(workspace, text, monkeypatch):
    def once_ann_has_drawn(project, *changes, **options):  # after the edit has read what there is
        monkeypatch.undo()
        correct(workspace, text, 0, "begun", layer="Ann", heads=[0, 1, 1, 1])
        return workspace.store.execute(project, *changes, **options)

    monkeypatch.setattr(workspace.store, "execute", once_ann_has_drawn)
    with pytest.raises(StoreError, match="Cannot save your change: tree"):
        split_port(workspace, text)
    assert workspace.source(text)[0].forms[3] == "delport"


@pytest.mark.parametrize("turn", ["undo", "redo"])
def test_words_that_somebody_has_marked_done_since_stay_as_she_saw_them(workspace, text, turn):
    split_port(workspace, text)
    if turn == "redo":
        workspace.store.undo(text.project)
    now, original = conllu_text(workspace.standing(text).treebank), workspace.store.execute
    try:
        workspace.store.execute = partial(original, author="Ann")
        Annotations(workspace, text, "Ann").set_status(0, "done")
    finally:
        del workspace.store.execute
    with pytest.raises(
        StoreError, match=rf"Cannot {turn} changing words: annotation '\d+/1/Ann' was changed by Ann at .*again$"
    ):
        getattr(workspace.store, turn)(text.project)
    assert conllu_text(workspace.standing(text).treebank) == now
    keys = Keys(workspace, text)
    keys.was = None
    assert keys.send(turn).startswith(f"Cannot {turn} changing words: sentence 1 was changed by Ann at")
    assert Annotations(workspace, text, "Ann").state(0).status == "done"
    edit(workspace, text, 1, split_word, number=2, parts=["a", "b"])
    assert Annotations(workspace, text, "Ann").state(0).status == "done"  # another sentence
    edit(workspace, text, 0, split_word, number=2, parts=["a", "b"])  # a new edit says that it is to be looked at
    assert Annotations(workspace, text, "Ann").state(0).status == "begun"


def test_what_others_note_or_begin_hinders_nobody(workspace, text):
    split_port(workspace, text)
    Annotations(workspace, text, "Ann").set_status(0, "doubtful")
    Annotations(workspace, text, "Ann").set_note(0, "is this one word?")
    for _ in range(2):  # the note, the status
        assert workspace.store.undo(text.project) is not None
    assert workspace.store.undo(text.project) is not None
    assert workspace.source(text)[0].forms[3] == "delport"


def test_a_run_keeps_its_trees_of_all_sentences_whose_words_are_the_same(workspace, ge, text):
    systems = Systems(workspace)
    run = ended(ge, ge.train(ge.text(text), "DET <- NOUN = 0.9\nNOUN <- VERB = 0.9\n"))
    key = f"run-{run.id}"
    whole = load_parse(systems, text, key)
    split_port(workspace, text)
    assert words_changed_since(workspace, text, run) == {0}
    parse = load_parse(systems, text, key)
    assert parse.picks.tolist() == [1, 2] and parse[0].heads.tolist() == whole[1].heads.tolist()
    assert parse.rows.tolist() == workspace.treebank(text).select([1, 2]).rows.tolist()
    assert "whose words were changed since; run it again" in str(missing_tree(systems, text, key, "run", 0))
    assert "choose another proposal" in str(missing_tree(systems, text, key, "run", 1))
    assert ge.latest(ge.text(text)) is None  # what it learnt is of other words
    later = ended(ge, ge.train(ge.text(text), "DET <- NOUN = 0.9\n"))
    assert len(load_parse(systems, text, f"run-{later.id}")) == 3
    workspace.store.undo(text.project)
    assert len(load_parse(systems, text, key)) == 3 and load_parse(systems, text, f"run-{later.id}").picks.tolist() == [
        1,
        2,
    ]
    for index in filled(range(3)):
        edit(workspace, text, index, insert_word, after=1, part="x")
    with pytest.raises(WorkbenchError, match=r"all sentences that run .* parsed were changed since; run it again"):
        load_parse(systems, text, key)


def test_an_added_parse_keeps_its_trees_of_all_sentences_whose_words_are_the_same(workspace, text):
    key, systems = (
        add_parse(workspace, text, "theirs.conllu", TEXT.replace("nsubj", "obj").encode()),
        Systems(workspace),
    )
    split_port(workspace, text)
    assert len(load_parse(systems, text, key)) == 3 and other_cut(workspace, text, key) is not None
    edit(workspace, text, 1, correct_form, number=2, form="gat")
    parse = load_parse(systems, text, key)
    assert parse.picks.tolist() == [2] and parse[0].deprels[2] == "obj" and other_cut(workspace, text, key) is None
    versions = load_versions(workspace, text, [each for each in offered_versions(workspace, text) if each.key == key])
    ((_, trees),) = versions.items()
    assert max(trees[1].heads) == -1 and trees[2].deprels[2] == "obj"


def test_new_words_of_a_text_tagged_by_a_list_have_its_tags_in_every_version(workspace, add):
    bare = add("bare.conllu", "1\tvanishes\t_\t_\t_\t_\t_\t_\t_\t_\n2\tlake\t_\t_\t_\t_\t_\t_\t_\t_\n\n")
    save_tagging(workspace.store, bare, Tagging("van VERB\nlake NOUN\nishes ADJ\n"), "tagging")
    correct(workspace, bare, 0, "begun", layer="Ann", upos=["ADV", "PROPN"], heads=[0, 1])
    edit(workspace, bare, 0, split_word, number=1, parts=["van", "ishes"])
    assert workspace.standing(bare).treebank[0].upos[1:] == ("VERB", "ADJ", "NOUN")
    assert workspace.of_version("Ann").standing(bare).treebank[0].upos[1:] == ("ADV", "ADJ", "PROPN")
    assert workspace.file(bare)[0].upos[1:] == ("", "")


def test_a_document_that_cannot_be_read_leaves_its_sentence_as_the_file_has_it(workspace, text):
    split_port(workspace, text)
    ((_, key), values) = next(iter(workspace.store.documents(text.project, WORDS).items()))
    for wrong in filled(({"block": "1\tone\n\n"}, {"block": ""}, {"file": "of another", "block": TEXT[-150:]})):
        workspace.store.remember(text.project, WORDS, key, values | wrong)
        assert conllu_text(workspace.standing(text).treebank) == TEXT, wrong


def test_a_group_of_whose_words_none_is_left_goes_and_comes_back(workspace, text):
    save_group(workspace, text, "ports", by_words(workspace.treebank(text), [0], [3]))
    edit(workspace, text, 0, delete_word, number=3)
    assert not groups(workspace.store, text)
    workspace.store.undo(text.project)
    assert [group.name for group in groups(workspace.store, text)] == ["ports"]


class Keys:
    """What the editor of one person sends."""

    def __init__(self, workspace, corpus, layer=""):
        self.workspace, self.corpus, self.layer = workspace, corpus, layer
        self.answered, self.count = Answered(), 0
        self.look()

    def look(self):
        self.was = Annotations(self.workspace, self.corpus, self.layer).get(0)[1]

    def send(self, do="words", **step):
        self.count += 1
        step |= {"do": do, "id": f"{id(self)}-{self.count}", "corpus": self.corpus.id, "sentence": 0}
        step |= {"layer": self.layer, "was": self.was, "after": None, "session": ""}
        answer(self.workspace, self.corpus, [step], self.answered)
        self.last = step
        return (self.answered.refused or ("", ""))[1] if self.answered.steps[step["id"]] is None else ""

    def forms(self):
        return " ".join(self.workspace.source(self.corpus)[0].forms[1:])


def test_each_edit_of_the_editor_changes_the_words_and_says_what_it_did(workspace, text):
    keys = Keys(workspace, text)
    for edit, word, typed, forms, message in filled((
        ("split", 3, "del port", "Veiem vaixells del port .", "splitting delport into del + port"),
        ("split", 3, "de el", "Veiem vaixells de el port .", "splitting del into de + el"),
        ("token", 3, "", "Veiem vaixells de el port .", "dissolving del"),
        ("token", 3, "", "Veiem vaixells de el port .", "making one token of de and el"),
        ("token-form", 4, "del", "Veiem vaixells de el port .", "writing the token deel as del"),
        ("form", 2, "barques", "Veiem barques de el port .", "writing vaixells as barques"),
        ("insert", 5, "gran", "Veiem barques de el port gran .", "inserting gran"),
        ("delete", 6, "", "Veiem barques de el port .", "deleting gran"),
        ("merge", 1, "", "Veiembarques de el port .", "merging Veiem and barques"),
        ("space", 4, "", "Veiembarques de el port .", "writing no space after port"),
    )):  # fmt: skip
        assert keys.send(edit=edit, word=word, forms=typed.split()) == "" and keys.forms() == forms
        assert keys.answered.message == message
        keys.look()
    assert "# text = Veiembarques delport.\n" in conllu_text(workspace.standing(text).treebank)
    assert read_conllu(conllu_text(workspace.standing(text).treebank).encode())[0].upos[2] == "ADP"
    for _ in filled(range(10)):
        workspace.store.undo(text.project)
    assert conllu_text(workspace.standing(text).treebank) == TEXT


def test_a_step_that_comes_twice_is_carried_out_once_and_others_are_named(workspace, text):
    correct(workspace, text, 0, layer="Ann", heads=[2, 0, 1, 2])
    keys = Keys(workspace, text)
    keys.send(edit="split", word=3, forms=["del", "port"])
    assert keys.answered.message.endswith("; Ann has a tree of this sentence, which changed too")
    answer(workspace, text, [keys.last], Answered())  # another process knows nothing of it
    assert keys.forms() == "Veiem vaixells del port ."


def test_other_versions_of_a_sentence_are_those_with_a_tree_or_a_status(workspace, text):
    correct(workspace, text, 0, layer="Ann", heads=[2, 0, 1, 2])
    ann, ben, cleo = (Annotations(workspace, text, name) for name in ("Ann", "Ben", "Cleo/D"))
    assert ann.other_versions(0) == [] and ben.other_versions(0) == ["Ann"]
    ann.set_status(0, "new")  # her tree stays
    ben.set_status(0, "done")  # with the file's tree
    cleo.set_note(0, "an odd sentence")
    assert cleo.other_versions(0) == ["Ann", "Ben"] and cleo.other_versions(1) == []
    cleo.set_status(0, "doubtful")
    assert Annotations(workspace, text).other_versions(0) == ["Ann", "Ben", "Cleo/D"]


def test_keys_pressed_on_words_that_somebody_has_changed_are_refused(workspace, text):
    mine, hers = Keys(workspace, text), Keys(workspace, text, "Ann")
    mine.send(edit="split", word=3, forms=["del", "port"])
    for step in filled(({"do": "attach", "word": 4, "head": 1, "relation": "obj"}, {"edit": "merge", "word": 3})):
        assert hers.send(**step).startswith("sentence 1 has been changed since in another window at")
    assert not Annotations(workspace, text, "Ann").trees() and mine.forms() == "Veiem vaixells del port ."


def test_a_tree_is_not_written_over_words_that_change_meanwhile(workspace, text, monkeypatch):
    version, execute = Annotations(workspace, text, "Ann"), workspace.store.execute
    annotation, was = version.get(0)

    def after_others(*arguments, **named):
        monkeypatch.undo()
        split_port(workspace, text)
        return execute(*arguments, **named)

    monkeypatch.setattr(workspace.store, "execute", after_others)
    with pytest.raises(StoreError, match=r"words '.*' was changed in another window"):
        version.write(0, attach(annotation, 2, 3), was, "step", "attaching")
    assert version.command_of(0) is None
    version = Annotations(workspace, text, "Ann")
    annotation, was = version.get(0)
    version.write(0, attach(annotation, 2, 4), was, "step", "attaching")
    assert Annotations(workspace, text, "Ann").trees()[0].heads[2] == 4


@pytest.mark.parametrize(
    ("step", "message"),
    [
        ({"edit": "split", "word": 3, "forms": ["del"]}, "a word is split into two parts or more"),
        ({"edit": "split", "word": 3, "forms": ["del", " "]}, "a word needs a form that can be seen"),
        ({"edit": "split", "word": 9, "forms": ["a", "b"]}, "there is no word 9"),
        ({"edit": "merge", "word": 4}, "is the last word of the sentence"),
        ({"edit": "form", "word": 1, "forms": []}, "one form is needed"),
        ({"edit": "shuffle", "word": 1}, "the editor asked for 'shuffle'"),
        ({"edit": "form", "word": True, "forms": ["a"]}, "the editor asked for 'form'"),
    ],
)
def test_an_edit_that_cannot_be_made_says_why_and_changes_nothing(workspace, text, step, message):
    keys = Keys(workspace, text)
    assert message in keys.send(**step)
    assert conllu_text(workspace.standing(text).treebank) == TEXT


def rewritten(workspace, text, request, layer=""):
    bank = workspace.of_version(layer).standing(text).treebank
    proposals = propose(bank, parse_request(request))[1]
    accept = accepted(proposals, frozenset())
    assert changes_words_alone(proposals, accept)
    return change_words(workspace, text, bank, proposals, accept, layer)


def test_a_request_changes_words_in_the_text_for_every_version_and_one_undo_takes_it_back(workspace, text):
    correct(workspace, text, 1, layer="Ann", heads=[2, 0, 4, 2, 2])
    done = rewritten(workspace, text, 'pattern { X [form="El"] } commands { split X "E" "l" }')
    assert (done.corpus, done.name, done.done, done.refused) == (text.id, "ships.conllu", 2, 0)
    assert [" ".join(each.forms[1:4]) for each in workspace.source(text)] == [
        "Veiem vaixells delport",
        "E l gos",
        "E l gat",
    ]
    assert workspace.of_version("Ann").standing(text).treebank[1].heads[1:].tolist() == [3, 1, 0, 5, 3, 3]
    assert rewritten(workspace, text, "pattern { X [form=E]; Y []; X < Y } commands { merge X Y }").done == 2
    assert conllu_text(workspace.standing(text).treebank) == TEXT
    workspace.store.undo(text.project)
    workspace.store.undo(text.project)
    assert conllu_text(workspace.standing(text).treebank) == TEXT
    assert rewritten(workspace, text, 'pattern { X [form=del] } commands { add_node N :> X; N.form = "el" }').done == 1
    assert rewritten(workspace, text, "pattern { X [form=gos] } commands { del_node X }", "Ann").done == 1
    assert " ".join(workspace.source(text)[1].forms[1:]) == "El del el port dorm"
    assert Annotations(workspace, text, "Ann").get(1)[0].heads[1:] == (0, 4, 1, 1, 1)


def test_hits_that_meet_are_refused_and_a_text_changed_since_is_searched_again(workspace, text):
    bank = workspace.standing(text).treebank
    request = "pattern { X []; Y []; X < Y; X [form=/El|gos/] } commands { merge X Y }"
    proposals = propose(bank, parse_request(request))[1]
    accept = accepted(proposals, frozenset())
    edit(workspace, text, 2, delete_word, number=1)
    with pytest.raises(WorkbenchError, match="sentence 3 has other words by now; search again"):
        change_words(workspace, text, bank, proposals, accept)
    workspace.store.undo(text.project)
    with pytest.raises(WorkbenchError, match="nothing was rewritten; accept one hit or more"):
        change_words(workspace, text, bank, proposals, set())
    change_words(workspace, text, bank, proposals, accept)
    assert workspace.source(text)[1].forms[1] == "Elgosdel" and workspace.source(text)[2].forms[1] == "Elgat"


def random_edit(draws, words):
    """(function, arguments) of an edit of a sentence of so many words, which may not be possible."""
    number = draws.randint(1, words)
    return draws.choice((
        (split_word, {"number": number, "parts": ["a", "b", "c"][: draws.randint(2, 3)]}),
        (merge_words, {"first": number, "last": min(number + draws.randint(1, 2), words)}),
        (insert_word, {"after": number - 1, "part": "x"}),
        (delete_word, {"number": number}),
        (make_token, {"first": number, "last": min(number + 1, words), "form": "ab"}),
        (dissolve_token, {"number": number}),
    ))  # fmt: skip


def test_random_edits_leave_all_versions_whole_and_are_undone_and_redone_one_by_one(workspace, text):
    draws, made = random.Random(52), []
    correct(workspace, text, 0, layer="Ann", heads=[2, 0, 1, 2])
    correct(workspace, text, 1, layer="Ben", heads=[2, 0, 4, 2, 2], upos=["DET", "NOUN", "X", "PROPN", "VERB"])
    save_group(workspace, text, "some", by_words(workspace.treebank(text), [0, 1, 2], [3, 4, 2]))
    shown = [everything(workspace, text)]
    for _ in filled(range(80)):
        index = draws.randrange(3)
        function, arguments = random_edit(draws, len(workspace.source(text)[index]))
        try:
            made.append(edit(workspace, text, index, function, layer=draws.choice(("", "Ann")), **arguments))
        except WorkbenchError:
            continue
        for layer in filled(("", "Ann", "Ben")):
            standing = workspace.of_version(layer).standing(text)
            assert not standing.misfits and (standing.treebank.heads[standing.treebank.is_word] >= 0).all()
            assert standing.treebank.single_rooted().all()
        read_conllu(conllu_text(workspace.source(text)).encode())
        shown.append(everything(workspace, text))
    assert len(made) > 40
    for before in filled(shown[-2::-1]):
        workspace.store.undo(text.project)
        assert everything(workspace, text) == before
    for after in filled(shown[1:]):
        workspace.store.redo(text.project)
        assert everything(workspace, text) == after


def test_the_built_in_sample_leaves_out_the_mark_up_of_a_sentence_of_other_words(workspace, sample):
    marked = next(index for index, marks in enumerate(workspace.brackets(sample)) if marks)
    before = text_brackets(workspace.treebank(sample), sample.reference)
    edit(workspace, sample, marked, merge_words, first=1, last=2)
    after = text_brackets(workspace.treebank(sample), sample.reference)
    assert before[marked] and after == [[] if index == marked else marks for index, marks in enumerate(before)]
    assert workspace.brackets(sample) == after
    edit(workspace, sample, marked, split_word, number=2, parts=["a", "b"])  # as many words as before, but others
    assert text_brackets(workspace.treebank(sample), sample.reference) == after
    for _ in filled(range(2)):
        workspace.store.undo(sample.project)
    assert text_brackets(workspace.treebank(sample), sample.reference) == before == workspace.brackets(sample)
