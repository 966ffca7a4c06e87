"""Texts before they are added, and after: what is found in them, how they are kept, tagged, corrected, undone."""

import gzip
import io
from contextlib import suppress

import pytest

from core.errors import WorkbenchError
from core.files.packed import write_packed
from core.parsers.readers import ENGLISH, tagged_text, tagger_names
from core.treebank import read_conllu, read_text
from core.workspace import Tagging, add_corpus, corpora, parses
from core.workspace.corpus import drafts
from core.workspace.corpus.drafts import PASTED, How, add_draft, find_draft, pasted_name, read_draft
from core.workspace.corpus.tagging import tag_by, without_tagger
from core.workspace.readings import Asker, Reading
from core.workspace.validation import text_faults
from core.workspace.word_tags import save_tagging, saved_tagging
from tests.patience import wait_for

LINES = b'The captain told nobody about the storm\n"No" he said\nThe harbour was empty\n'
ME = Asker("me")
GO = b"1\tGo" + b"\t_" * 8 + b"\n\n"
TREE = b"1\tcats\t_\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tsleep\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n" + GO


@pytest.fixture
def project(workspace):
    return workspace.store.default_project()


@pytest.fixture
def pasted(workspace, project):
    """pasted(name, *tagging) -> the Corpus that three pasted lines become."""

    def pasted(name, *tagging):
        draft = read_draft(PASTED, LINES)
        return workspace.store.corpus(add_draft(workspace.store, project, draft, name, *tagging))

    return pasted


def test_the_sentences_of_a_pasted_text_have_names_that_are_valid(workspace, pasted):
    corpus = pasted("my lines")
    assert workspace.source(corpus)[2].sent_id == "pasted-text-3"
    assert "sent_id" not in {rule.kind for rule in text_faults(workspace, corpus).by_rule}


def test_a_draft_says_what_was_found():
    draft = read_draft("a.txt", LINES)
    assert (draft.format, draft.title, len(draft.treebank)) == ("lines", "one sentence per line", 3)
    assert (draft.tagged, draft.trees, draft.is_untagged, draft.language) == (0, 0, True, "en")
    draft = read_draft("a.conllu", TREE)
    assert (draft.title, draft.tagged, draft.trees, draft.is_untagged) == ("CoNLL-U", 2, 1, False)


@pytest.mark.parametrize(
    ("text", "format", "cut"),
    [
        ("The har-\nbour was empty.", "text", True),
        ("so\u00adon.", "lines", True),
        ("The har-\nbour was empty.", "lines", False),
        ("Hej du.", "text", False),
    ],
)
def test_a_draft_knows_whether_words_were_cut_whatever_else_is_said_of_it(text, format, cut):
    for joins in (True, False):
        assert read_draft("a.txt", text.encode(), format, join_hyphens=joins).has_cut_words == cut


def read_in_the_end(workspace, name, data, **how):
    """What a large file becomes."""

    def read():
        with suppress(Reading):
            return [find_draft(workspace, ME, name, data, How(**how))]

    return wait_for(read)[0]


@pytest.mark.parametrize(
    ("name", "data", "how"),
    [
        ("a.txt", b"The har-\nbour was empty. Why? Nobody knows it.\n\n" * 100, {}),
        ("a.txt", LINES * 50, {"format": "lines", "language": "en"}),
        ("a.txt", "El niño está aquí.\n".encode("latin-1") * 150, {"encoding": "latin-1", "join_hyphens": False}),
        ("a.txt", b"Vamos al mercado del pueblo.\n" * 150, {"language": "es"}),
        ("a.txt", b"Vamos al mercado del pueblo.\n" * 150, {"language": "es", "contractions": (("es", "al = a el"),)}),
        ("a.txt", b"Vamos al mercado del pueblo.\n" * 150, {"language": "es", "contractions": None}),
        ("a.mrg", b"( (S (NP (DT The) (NN dog)) (VP (VBZ is) (NP (-NONE- *T*-1))) (. .)) )\n" * 60, {}),
    ],
    ids=["text", "lines", "latin", "contractions", "other-contractions", "no-contractions", "mrg"],
)
def test_a_large_file_is_read_apart_and_is_the_same(workspace, monkeypatch, name, data, how):
    here = read_draft(name, data, **how)
    monkeypatch.setattr(drafts, "SMALL", len(data) - 1)  # so it is large; tests below have files that are by themselves
    monkeypatch.setattr(drafts, "read_draft", pytest.fail)  # not in this process
    with pytest.raises(Reading):
        find_draft(workspace, ME, name, data, How(**how))
    found = read_in_the_end(workspace, name, data, **how)
    assert found.treebank.content_hash == here.treebank.content_hash
    for fact in (
        "format",
        "encoding",
        "guess",
        "language",
        "has_cut_words",
        "tagged",
        "trees",
        "chosen",
        "cuts",
        "cut_count",
    ):
        assert getattr(found, fact) == getattr(here, fact)
    assert found.treebank.warnings == here.treebank.warnings and found.treebank.name == here.treebank.name
    assert found is find_draft(workspace, ME, name, data, How(**how))


def test_of_many_cuts_the_first_are_sent_and_all_are_counted(monkeypatch):
    monkeypatch.setattr(drafts, "SENT_CUTS", 1)
    facts, _ = drafts.packed_draft(None, [b"Vamos al mercado del pueblo."], "a.txt", How(language="es"))
    assert facts["known"]["cut_count"] == 2 and len(facts["known"]["cuts"]) == 1


def test_a_large_file_that_cannot_be_read_is_refused_as_a_small_one_is(workspace):
    wrong = TREE * 1_000 + b"1\ta\n\n" + TREE
    for data in (wrong, b"# a comment\n" * 400_000 + wrong):
        with pytest.raises(WorkbenchError) as here:
            read_draft("a.conllu", data)
        with pytest.raises(WorkbenchError) as there:
            read_in_the_end(workspace, "a.conllu", data)
        assert str(there.value) == str(here.value) and "a.conllu, line" in str(here.value)


def test_a_large_text_of_the_project_is_read_apart_and_is_the_same(workspace, project, monkeypatch):
    data = b"( (S (NP (DT The) (NN dog)) (VP (VBZ is) (ADJP (JJ old))) (. .)) )\n" * 1_500
    number, here = add_corpus(workspace.store, project, "a.mrg", data)
    monkeypatch.setattr(corpora, "read_named", pytest.fail)  # not in this process
    found = workspace.source(workspace.store.corpus(number))
    assert (found.content_hash, found.name) == (here.content_hash, "a.mrg")
    assert found.constituents is not None and here.constituents is not None
    assert found.constituents[1_499] == here.constituents[1_499]


def test_a_treebank_of_usual_size_is_read_at_once(workspace):
    found = find_draft(workspace, ME, "a.conllu", TREE * 10_000)
    assert len(found.treebank) == 20_000


def test_the_limit_is_said_with_what_to_do(workspace, monkeypatch):
    few = drafts.LIMITS.__class__(seconds=120, memory=1 << 20, instead=drafts.LIMITS.instead)
    monkeypatch.setattr(drafts, "LIMITS", few)
    with pytest.raises(WorkbenchError, match=r"reading a\.txt took more than 1 MB of memory; cut it .* python -m core"):
        read_in_the_end(workspace, "a.txt", b"He came. She went. " * 20_000)


@pytest.mark.parametrize("text", ["kissa nukkuu\nkoira haukkuu", "Il gatto dorme in casa.", "القطة تنام", "猫が寝る"])
def test_other_languages_are_not_taken_for_english(text):
    assert read_draft("a.txt", text.encode()).language != "en"


def test_a_draft_is_read_once_while_it_is_looked_at(workspace):
    draft = find_draft(workspace, ME, "a.txt", LINES)
    assert find_draft(workspace, ME, "a.txt", LINES) is draft
    assert find_draft(workspace, ME, "a.txt", LINES, How("text")) is not draft


@pytest.mark.parametrize("ending", [".gz", ".xz", ".zst", ".zip"])
def test_packed_files_are_read_as_what_they_hold(workspace, project, tmp_path, ending):
    path = tmp_path / f"trees.conllu{ending}"
    write_packed(path, TREE)
    draft = find_draft(workspace, ME, path.name, path.read_bytes())
    assert (draft.data, draft.format, draft.treebank.name) == (TREE, "conllu", "trees.conllu")
    corpus = workspace.store.corpus(add_draft(workspace.store, project, draft, "trees"))
    key = parses.add_parse(workspace, corpus, path.name, path.read_bytes())
    parse = workspace.store.corpus(int(key.removeprefix("corpus-")))
    assert parse.name.startswith("trees") and workspace.store.corpus_bytes(parse.id) == TREE


def test_packed_files_that_cannot_be_read_are_refused_in_a_sentence(workspace, monkeypatch):
    packed = gzip.compress(TREE)
    with pytest.raises(WorkbenchError, match=r"^a\.gz: this file is packed, and damaged or cut short; pack it again$"):
        find_draft(workspace, None, "a.gz", packed[:-9])
    monkeypatch.setattr(corpora, "UPLOADED", 50)
    with pytest.raises(WorkbenchError, match=r"^a\.gz: it unpacks to more than 50 bytes, the limit for it; cut it"):
        find_draft(workspace, None, "a.gz", packed)


def test_errors_name_the_file_and_nothing_is_kept(workspace, project):
    for data in (b" ", b"%PDF-1.7", b"1 a _ _ _ _ 0 _ _ _\n", b"a;b\nc;d\n"):
        with pytest.raises(WorkbenchError, match=r"^notes\.txt[:,] "):
            find_draft(workspace, ME, "notes.txt", data)
    with pytest.raises(WorkbenchError, match="a text needs a name"):
        add_draft(workspace.store, project, read_draft("a.txt", LINES), "  ")
    assert len(workspace.store.corpora(project)) == 1


def test_plain_text_is_kept_as_conllu_and_treebanks_as_they_came(workspace, project, pasted):
    corpus = pasted("and/or …")
    assert (corpus.name, corpus.format) == ("and/or …", "conllu")
    assert [sentence.text for sentence in workspace.treebank(corpus)][1] == '"No" he said'
    draft = read_draft("x.conllu", TREE)
    assert workspace.store.corpus_bytes(add_draft(workspace.store, project, draft, "x")) == TREE


def test_text_that_was_kept_as_text_keeps_its_sentences(workspace, project):
    data = b'He came.\n"Yes," she said.\n'
    corpus = workspace.store.corpus(workspace.store.add_corpus(project, "old.txt", data, "text"))
    assert [sentence.text for sentence in workspace.treebank(corpus)] == ['He came. "', 'Yes," she said.']
    new, treebank = add_corpus(workspace.store, project, "new.txt", data, "text")
    assert [sentence.text for sentence in treebank] == ["He came.", '"Yes," she said.']
    assert workspace.treebank(workspace.store.corpus(new)).content_hash == treebank.content_hash


def test_a_text_is_added_with_tags_in_one_step(workspace, project, pasted):
    told = []
    treebank = workspace.treebank(pasted("tagged", ENGLISH, lambda *done: told.append(done)))
    assert treebank[0].upos[1:4] == ("DET", "NOUN", "VERB") and treebank[0].xpos[1:4] == ("DT", "NN", "VBD")
    assert (treebank.heads == -1).all() and told == [(0, 3)]
    workspace.store.undo(project)
    assert len(workspace.store.corpora(project)) == 1


def test_what_progress_raises_keeps_nothing(workspace, project, pasted):
    def stop(done, count):
        raise InterruptedError

    with pytest.raises(InterruptedError):
        pasted("tagged", ENGLISH, stop)
    assert len(workspace.store.corpora(project)) == 1


def test_tagging_by_a_reader_is_a_step_and_her_own_lines_correct_it(workspace, project, pasted):
    corpus = pasted("plain")
    source = workspace.source(corpus)
    save_tagging(workspace.store, corpus, Tagging("captain PROPN\n", ("english",)), "typing")
    tag_by(workspace, corpus, ENGLISH)
    treebank = workspace.treebank(corpus)
    assert treebank[0].upos[1:4] == ("DET", "PROPN", "VERB")
    assert treebank[0].xpos[1:4] == ("DT", "NN", "VBD") and treebank[2].upos[2] == "NOUN"
    assert [sentence.text for sentence in treebank] == [sentence.text for sentence in source]
    workspace.store.undo(project)
    assert workspace.treebank(corpus)[0].upos[3] == "X"
    workspace.store.redo(project)
    assert workspace.treebank(corpus)[0].upos[3] == "VERB"
    save_tagging(workspace.store, corpus, without_tagger(saved_tagging(workspace.store, corpus)), "removing")
    assert saved_tagging(workspace.store, corpus) == Tagging("captain PROPN\n", ("english",))


def test_a_tagged_text_survives_a_backup(workspace, project, pasted):
    corpus = pasted("plain")
    tag_by(workspace, corpus, ENGLISH)
    file = io.BytesIO()
    workspace.store.backup_project(project, file)
    restored = workspace.store.restore_backup(file, "again")
    copy = next(each for each in workspace.store.corpora(restored) if each.name == "plain")
    assert workspace.treebank(copy)[0].upos == workspace.treebank(corpus)[0].upos


def test_taggers_are_named_and_batches_make_one_text():
    assert tagger_names()[0] == tagger_names("en")[0] == ENGLISH and ENGLISH not in tagger_names("ga")
    many = read_text(b"The cat sleeps. " * 1100)
    told = []
    tagged = read_conllu(tagged_text(many, ENGLISH, lambda done, count: told.append((done, count))))
    assert told == [(0, 1100), (500, 1100), (1000, 1100)]
    assert list(tagged.form.values) == list(many.form.values) and tagged.form.ids.tolist() == many.form.ids.tolist()
    assert all(sentence.upos[1] == "DET" for sentence in tagged)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("\n The cat sleeps\nmore", "The cat sleeps"),
        ("One two three four five six.", "One two three four five …"),
        ("1\tcats\t_", PASTED),
        ("# sent_id = 1\n", PASTED),
        ("( (S (NN dog)))", PASTED),
        ("القطة تنام", "القطة تنام"),
        ("a" * 60, "a" * 40 + " …"),
    ],
)
def test_pasted_text_is_called_by_its_first_words(text, name):
    assert pasted_name(text) == name
