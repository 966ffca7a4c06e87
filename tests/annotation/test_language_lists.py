"""A language's own lists, from a folder as UD's tools have it."""

import json

import pytest

from core.annotation import SentenceAnnotation
from core.annotation.language_lists import LanguageLists
from core.errors import WorkbenchError
from core.treebank import read_conllu

FEATURES = {"permitted": 1, "uvalues": ["Sing", "Plur"], "lvalues": [], "unused_uvalues": [], "unused_lvalues": []}
NUMBER = {**FEATURES, "byupos": {"NOUN": {"Sing": 1, "Plur": 1}, "ADJ": {"Sing": 1}}}
LISTS = {
    "feats.json": {"features": {"xx": {"Number": NUMBER, "Case": {**NUMBER, "permitted": 0}}, "yy": {}}},
    "data.json": {"auxiliaries": {"xx": {
        "be": {"functions": [{"function": "cop.AUX"}]}, "he": {"functions": [{"function": "cop.PRON"}]},
        "do": {"functions": [{"function": "Mood=Int"}]},
    }}},
    "deprels.json": {"deprels": {"xx": {name: {"permitted": int(name != "iobj")} for name in
                                        ("root", "nsubj", "aux", "cop", "iobj", "nmod", "nmod:poss")}}},
}  # fmt: skip
ROW = "1\ta\t{lemma}\t{upos}\t_\t{feats}\t0\t{relation}\t_\t{misc}\n\n"


@pytest.fixture
def folder(tmp_path):
    for name, content in LISTS.items():
        (tmp_path / name).write_text(json.dumps(content), encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("row", "test"),
    [
        ({}, None),
        ({"feats": "Number=Sing"}, None),
        ({"feats": "Number=Dual"}, "feature-value-unknown"),
        ({"feats": "Number=Plur,Sing", "upos": "ADJ"}, "feature-value-upos-not-permitted"),
        ({"feats": "Number=Sing", "upos": "VERB"}, "feature-upos-not-permitted"),
        ({"feats": "Case=Sing"}, "feature-not-permitted"),
        ({"feats": "Tense=Past"}, "feature-unknown"),
        ({"feats": "Tense=Past", "misc": "Lang=zz"}, None),  # a language that nobody has described
        ({"feats": "Number=Sing", "misc": "Lang=yy"}, "feature-unknown"),
        ({"upos": "AUX", "lemma": "be"}, None),
        ({"upos": "AUX", "lemma": "_"}, None),
        ({"upos": "AUX", "lemma": "go"}, "aux-lemma"),
        ({"upos": "AUX", "lemma": "he"}, "aux-lemma"),
        ({"upos": "PRON", "lemma": "he", "relation": "cop"}, None),
        ({"upos": "PRON", "lemma": "do", "relation": "cop"}, "cop-lemma"),
        ({"relation": "nmod:poss"}, None),
        ({"relation": "nmod:big"}, "unknown-deprel"),
        ({"relation": "iobj"}, "unknown-deprel"),
    ],
)
def test_each_list(folder, row, test):
    fields = {"lemma": "a", "upos": "NOUN", "feats": "_", "relation": "root", "misc": "_", **row}
    (sentence,) = read_conllu(ROW.format(**fields).encode())
    found = LanguageLists.read(folder, "xx").faults(SentenceAnnotation.of(sentence))
    assert [fault.test for fault in found] == ([test] if test else [])


def test_a_folder_of_something_else_is_refused(folder):
    with pytest.raises(WorkbenchError, match="no lists for the language 'qq'"):
        LanguageLists.read(folder, "qq")
    (folder / "data.json").write_text("{}", encoding="utf-8")
    with pytest.raises(WorkbenchError, match=r"data.json has no auxiliaries"):
        LanguageLists.read(folder, "xx")
    (folder / "feats.json").write_text("no", encoding="utf-8")
    with pytest.raises(WorkbenchError, match=r"feats.json is no JSON"):
        LanguageLists.read(folder, "xx")
    with pytest.raises(WorkbenchError, match="cannot be read"):
        LanguageLists.read(folder / "absent", "xx")
