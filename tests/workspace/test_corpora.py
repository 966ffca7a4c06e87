"""Texts of a project as they are opened again."""

import pytest

from core.errors import WorkbenchError


def test_a_flex_file_as_it_was_once_kept_is_one_sentence(workspace):
    store = workspace.store
    corpus = store.corpus(store.add_corpus(store.default_project(), "a.flextext", b"<document/>", format="flextext"))
    with pytest.raises(WorkbenchError, match=r"a\.flextext is a FLEx file as version 0\.1\.0 .* add that file"):
        workspace.treebank(corpus)
