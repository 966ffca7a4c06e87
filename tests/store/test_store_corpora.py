import io

import pytest
from sqlalchemy import select

from core.errors import StoreError
from core.store.schema import contents
from tests.store.replaying import replayed


@pytest.mark.parametrize("data", [b"", b"1\tThe\n", bytes(range(256)) * 3])
def test_the_bytes_come_back(store, project, data):
    corpus_id = store.add_corpus(project, "a.conllu", data)
    assert store.corpus_bytes(corpus_id) == data and store.corpus(corpus_id).size == len(data)


def test_adding_changing_and_removing_can_be_undone(store, project):
    added = store.add_corpus(project, "eu.conll", b"1\tx\n", "conllx", "latin-1", {"max_length": 10})
    store.change_corpus(added, settings={"max_length": 20}, encoding="utf-8")
    store.remove_corpus(added)
    sample, states = ("sample", "utf-8", {}), []
    before, after = (("eu.conll", *each) for each in (("latin-1", {"max_length": 10}), ("utf-8", {"max_length": 20})))
    while store.next_undo(project):
        store.undo(project)
        states.append([(corpus.name, corpus.encoding, corpus.settings) for corpus in store.corpora(project)])
    assert states == [[sample, after], [sample, before], [sample]]
    with pytest.raises(StoreError, match=f"no corpus {added} here"):
        store.corpus(added)
    store.redo(project)
    assert store.corpus(added).format == "conllx" and store.corpus_bytes(added) == b"1\tx\n"
    assert replayed(store, project) == store.documents(project)


def test_equal_files_have_equal_hashes(store, project):
    other = store.create_project("other")
    first, second = store.add_corpus(project, "a", b"same"), store.add_corpus(other, "b", b"same")
    assert store.corpus(first).hash == store.corpus(second).hash
    assert store.corpus(first).hash != store.corpus(store.add_corpus(project, "c", b"else")).hash


def test_refusals(store, project):
    (sample,) = store.corpora(project)
    corpus_id = store.add_corpus(project, "a", b"what was uploaded")
    for act, sentence in (
        (lambda: store.corpus_bytes(sample.id), "built-in sample"),
        (lambda: store.add_corpus(project, " ", b""), "Give the text a name"),
        (lambda: store.corpus_bytes(99), "no corpus 99"),
        (lambda: store.corpus(99), "no corpus 99"),
        (lambda: store.change_corpus(corpus_id, hash="y"), "has no 'hash' to change"),
    ):
        with pytest.raises(StoreError, match=sentence):
            act()
    with store.database.write() as connection:
        connection.exec_driver_sql("UPDATE contents SET hash = 'other'")
    with pytest.raises(StoreError, match="not what was uploaded"):
        store.corpus_bytes(corpus_id)


def test_an_identifier_stays_through_renaming_backup_and_copy_and_tells_equal_files_apart(store, project):
    first, second = store.add_corpus(project, "a", b"same"), store.add_corpus(project, "a", b"same")
    identifiers = [corpus.identifier for corpus in store.corpora(project)]
    assert identifiers[0] == "sample" and len(set(identifiers)) == 3
    store.change_corpus(first, name="b")
    store.remove_corpus(second)
    store.undo(project)
    assert [corpus.identifier for corpus in store.corpora(project)] == identifiers
    copy = store.copy_project(project, "copy")
    assert [corpus.identifier for corpus in store.corpora(copy)] == identifiers
    assert {corpus.id for corpus in store.corpora(copy)}.isdisjoint({first, second})


def test_a_name_of_the_past_is_known(store, project):
    first = store.add_corpus(project, "a", b"x")
    store.change_corpus(first, name="b")
    second = store.add_corpus(project, "b", b"y")
    store.remove_corpus(second)
    assert [store.corpora_once_named(project, name) for name in "abc"] == [{first}, {first, second}, set()]
    assert store.next_undo(project).label == "removing b"
    assert [entry.label for entry in store.history(project)][2] == "renaming a to b"
    assert store.project_size(project)["texts"] == 2


def contents_kept(store):
    with store.database.read() as connection:
        return sorted(connection.execute(select(contents.c.size)).scalars())


def test_contents_of_removed_texts_are_emptied_and_undo_says_so(store, project):
    other = store.create_project("Basque")
    kept, shared, gone = (store.add_corpus(project, name, name.encode() * 9) for name in ("kept", "shared", "gone"))
    store.add_corpus(other, "theirs", b"shared" * 9)
    for corpus in (shared, gone):
        store.remove_corpus(corpus)
    assert store.removed_texts(project) == 2 and store.usage(project).removed > 20
    assert store.empty_removed(project) == 2
    assert contents_kept(store) == [0, 36, 54] and store.removed_texts(project) == 0
    assert store.empty_removed(project) == 0 and store.usage(project).removed < 20
    with pytest.raises(StoreError, match="Cannot undo removing gone: the content of gone was emptied; add the file"):
        store.undo(project)
    assert [corpus.id for corpus in store.corpora(project)[1:]] == [kept]
    assert store.corpus_bytes(kept) == b"kept" * 9
    file = io.BytesIO()
    store.backup_project(project, file)
    restored = store.restore_backup(file)
    assert [corpus.name for corpus in store.corpora(restored)] == ["sample", "kept"]
    with pytest.raises(StoreError, match="emptied"):
        store.undo(restored)
    again = store.add_corpus(project, "gone", b"gone" * 9)  # as the refusal says
    assert store.corpus_bytes(again) == b"gone" * 9
    store.undo(project)
    store.redo(project)
    assert store.corpus(again)


def test_a_text_that_was_never_there_again_stays_out_after_redo(store, project):
    store.add_corpus(project, "gone", b"gone")
    store.undo(project)
    assert store.empty_removed(project) == 1
    with pytest.raises(StoreError, match="Cannot redo adding gone: the content of gone was emptied"):
        store.redo(project)


def test_owners_alone_empty_what_was_removed(store):
    hers, his = store.on_behalf_of("ana@x.org"), store.on_behalf_of("ben@x.org")
    project = hers.default_project()
    hers.set_role(project, "ben@x.org", "annotator")
    his.remove_corpus(his.add_corpus(project, "gone", b"gone"))
    with pytest.raises(StoreError, match="As annotator you cannot manage"):
        his.empty_removed(project)
    assert hers.empty_removed(project) == 1
