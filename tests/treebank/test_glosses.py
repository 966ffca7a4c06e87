"""Glosses become features by the linguist's table; what it lacks is counted, and a faulty line is one sentence."""

import json

import pytest

from core.__main__ import main
from core.errors import FormatError
from core.treebank import Treebank, conllu_text, read_conllu
from core.treebank.glosses import features_of, parse_gloss_table, with_features

TABLE = "\ufeffgloss\tfeature\n# mine\n-PL\tNumber=Plur\n3SG\tPerson=3|Number=Sing\nPST, Tense=Past\nCOP\t_\n"


def glossed(*glosses, feats=None):
    misc = [gloss and f"Gloss={gloss}|SpaceAfter=No" for gloss in glosses]
    return Treebank.from_sentences([{"forms": ["x"] * len(glosses), "misc": misc, "feats": feats}])


def test_a_gloss_is_taken_apart_by_the_rules_of_leipzig():
    table = parse_gloss_table(TABLE)
    assert table["PL"] == ("Number=Plur",)
    assert features_of("cat-PL", table) == (["Number=Plur"], [])
    assert features_of("go.3SG.PST=Q", table) == (["Person=3", "Number=Sing", "Tense=Past"], ["Q"])
    assert features_of("<COP>be~NMLZ-(DAT)", table) == ([], ["NMLZ", "DAT"])
    assert features_of("3SG", {"3SG": ("Person=3",), "SG": ("Number=Sing",)}) == (["Person=3"], [])


def test_words_get_features_and_keep_those_that_they_have():
    treebank = glossed("cat-PL", "see-3SG.PST-EVID", None, "dog-PL", feats=["Case=Nom", None, None, "Number=Sing"])
    result = with_features(treebank, parse_gloss_table(TABLE))
    assert result.treebank[0].feats[1:] == (
        "Case=Nom|Number=Plur",
        "Number=Sing|Person=3|Tense=Past",
        "",
        "Number=Sing",
    )
    assert (result.changed, dict(result.unknown)) == (2, {"EVID": 1})
    assert dict(result.conflicts) == {("Number=Sing", "Number=Plur"): 1}
    assert with_features(glossed("house"), parse_gloss_table(TABLE)).changed == 0
    with pytest.raises(FormatError, match="no word has Gloss in MISC; name the entry"):
        with_features(glossed(None), parse_gloss_table(TABLE))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("PL\n", "line 1: PL is no gloss and feature; write two columns"),
        ("PL,Number=Plur\nSG,sing\n", "line 2: sing is no feature; write Name=Value"),
        ("PL,Number=Plur\nPL,Number=Dual\n", "line 2: the gloss PL has two values of one feature"),
        ("# only this\n", "this table has no gloss; write lines such as"),
        ("-,Number=Plur\n", "line 1: .* is no gloss and feature"),
    ],
)
def test_a_faulty_table_is_one_sentence_with_its_line(text, message):
    with pytest.raises(FormatError, match=message):
        parse_gloss_table(text)


def test_the_command_writes_features_and_lists_what_the_table_lacks(tmp_path, capsys):
    text, table, out = (str(tmp_path / name) for name in ("a.conllu", "glosses.csv", "b.conllu"))
    (tmp_path / "a.conllu").write_text(conllu_text(glossed("cat-PL", "go-NMLZ", "be-NMLZ")), encoding="utf-8")
    (tmp_path / "glosses.csv").write_text("-PL,Number=Plur\n", encoding="utf-8")
    assert main(["corpus", "features", text, "--glosses", table, "--out", out, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["unknown"] == {"NMLZ": 2}
    assert read_conllu(out)[0].feats[1:] == ("Number=Plur", "", "")
    (tmp_path / "glosses.csv").write_text("-PL\n", encoding="utf-8")
    assert main(["corpus", "features", text, "--glosses", table, "--out", out]) == 2
    assert "glosses.csv, line 1: -PL is no gloss and feature" in capsys.readouterr().err
