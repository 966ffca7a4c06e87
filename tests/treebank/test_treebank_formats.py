"""CoNLL-X, CoNLL-2007, CoNLL-2009, encodings, and telling formats apart."""

import pytest

from core.errors import FormatError, WorkbenchError
from core.treebank import (
    FORMATS,
    conllu_text,
    detect_format,
    formats,
    load_sample,
    read_conll2008,
    read_conll2009,
    read_conllu,
    read_conllx,
    read_treebank,
    sample,
    write_conllu,
)
from core.treebank.render import treebank_bytes

X = "1\tEl\tel\td\tda\tgen=m\t2\tSPEC\t2\tSPEC\n2\taño\taño\tn\tnc\t_\t0\tROOT\t0\tROOT\n\n"
Y2009 = (
    "1\tThe\tthe\tthe\tDT\tDT\t_\t_\t2\t2\tNMOD\tNMOD\t_\t_\tA1\n"
    "2\tdog\tdog\tdog\tNN\tNN\tn=s\t_\t3\t3\tSBJ\tSBJ\t_\t_\t_\n"
    "3\tbarks\tbark\tbark\tVBZ\tVBZ\t_\t_\t0\t0\tROOT\tROOT\tY\tbark.01\t_\n"
    "4\t.\t.\t.\t.\t.\t_\t_\t3\t3\tP\tP\t_\t_\t_\n\n"
)
U = "# sent_id = 1\n1\tgo\tgo\tVERB\tVB\t_\t0\troot\t_\t_\n\n"


def test_conllx_tags_are_upos_and_xpos():
    sentence = read_conllx(X.encode())[0]
    assert (sentence.upos, sentence.xpos) == (("", "d", "n"), ("", "da", "nc"))
    assert (sentence.feats, sentence.deprels) == (("", "gen=m", ""), ("", "SPEC", "ROOT"))
    assert sentence.misc == ("", "", "")
    assert sentence.text == "El año"


def test_conll2009_reads_the_gold_columns_and_keeps_the_others(tmp_path):
    treebank = read_conll2009(Y2009.encode())
    assert treebank[0].xpos == ("", "DT", "NN", "VBZ", ".")
    assert treebank[0].feats == ("", "", "n=s", "", "")
    assert treebank[0].deprels == ("", "NMOD", "SBJ", "ROOT", "P")
    assert treebank[0].upos == ("", "", "", "", "")
    assert treebank.tag_column() is treebank.xpos
    assert treebank.heads.tolist() == [-1, 2, 3, 0, 3]
    write_conllu(treebank, tmp_path / "a")
    assert (tmp_path / "a").read_text() == Y2009
    changed = treebank.with_heads([-1, 3, 3, 0, 3], ["", "NMOD", "SBJ", "ROOT", "P"])
    assert conllu_text(changed) == Y2009.replace("\t2\t2\tNMOD", "\t3\t2\tNMOD")
    bare = conllu_text(treebank.without_punctuation())
    assert bare.startswith("1\tThe\tthe\tthe\tDT\tDT\t_\t_\t2\t_\tNMOD\t_\t_\t_\tA1\n2\tdog")
    assert read_conll2009(bare.encode()).heads.tolist() == [-1, 2, 3, 0]


def test_other_layouts_become_conllu():
    converted = read_conllx(X.encode("latin-1"), encoding="latin-1").to_conllu()
    expected = "1\tEl\tel\td\tda\tgen=m\t2\tSPEC\t_\t_\n2\taño\taño\tn\tnc\t_\t0\tROOT\t_\t_\n\n"
    assert treebank_bytes(converted) == expected.encode()
    assert converted.to_conllu() is converted
    assert read_conllu(U.encode(), encoding="cp1252").to_conllu().source.encoding == "utf-8"
    assert conllu_text(read_conll2009(Y2009.encode()).to_conllu()).startswith("1\tThe\tthe\t_\tDT\t_\t2\tNMOD\t_\t_\n")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (U, "conllu"),
        ("\ufeff" + U, "conllu"),
        ("1\tgo\t_\t_\t_\t_\t0\t_\t_\t_\n", "conllu"),
        ("1\tgo\t_\tVERB\t_\t_\t0\t_\t0:root\t_\n", "conllu"),
        ("1-2\tgo" + "\t_" * 8 + "\n1\tgo\t_\tv\t_\t_\t0\t_\t_\t_\n", "conllu"),
        ("# a\n" + X, "conllu"),
        (X, "conllx"),
        (X.replace("\n", "\r\n"), "conllx"),
        ("1\tgo\t_\tVERB\t_\t_\t0\t_\t0\t_\n", "conllx"),
        ("1\tgo\t_\tVERB\t_\t_\t0\t_\n", "conllx"),
        (X * 2000, "conllx"),
        (Y2009, "conll2009"),
        ("\n ( (S (NN dog)))", "mrg"),
        ("The/DT dog/NN barks/VBZ ./.", "tagged"),
        ("Show me one word and/or two .", "conllu"),
        ("", "conllu"),
        ("# only\n", "conllu"),
    ],
)
def test_formats_are_told_by_content(text, name):
    assert detect_format(text.encode()) == name


def test_reading_any_format_by_content_or_by_name(tmp_path):
    path = tmp_path / "a.txt"
    for text in (X, Y2009, U):
        path.write_text(text)
        treebank = read_treebank(path)
        assert treebank.name == "a.txt"
        assert conllu_text(treebank) == text
    assert read_treebank(X.encode(), format="conllx", name="mine").name == "mine"
    with pytest.raises(WorkbenchError, match="there is no format 'xml'; use auto, conllu, conllx"):
        read_treebank(path, format="xml")
    with pytest.raises(FormatError, match="this is not CoNLL-U"):
        read_treebank(b"Some words.\n")


def test_readers_plug_in_by_name():
    names = [
        "conllu",
        "conllx",
        "conll2008",
        "conll2009",
        "conllup",
        "conll2012",
        "conll2003",
        "vertical",
        "malttab",
        "stanford",
        "cg3",
        "json",
    ]
    names += ["mrg", "tagged", "toolbox", "flextext", "elan", "docbin", "lines", "text"]
    assert [known.name for known in FORMATS] == names
    assert formats.Format("x", "X", "core.treebank.conllu:read_conllx").load_reader() is read_conllx


def test_shared_conllx_files_come_back(large_files):
    sizes = {"esp.train": (2949, 75822), "esp.test": (563, 19206), "eus.test": (580, 10096)}
    for name, (sentences, tokens) in sizes.items():
        path = large_files / "conllx" / name
        encoding = "latin-1" if name == "eus.test" else "utf-8"
        treebank = read_treebank(path, encoding=encoding)
        assert treebank.source.layout.name == "conllx"
        assert (len(treebank), treebank.token_count) == (sentences, tokens)
        assert treebank_bytes(treebank) == path.read_bytes()
        converted = treebank.to_conllu()
        assert converted.heads.tolist() == treebank.heads.tolist()
        assert converted[-1].forms == treebank[-1].forms


def test_the_basque_file_says_what_it_needs(shared_data):
    path = shared_data / "conllx" / "eus.test"
    with pytest.raises(FormatError, match=r"eus\.test, line \d+: byte 0xf1 .*its encoding, such as latin-1"):
        read_treebank(path)
    treebank = read_treebank(path, encoding="iso-8859-1")
    assert treebank.warnings == ("200 of 580 sentences have several roots (first: line 17)",)
    heads = treebank.heads.copy()
    heads[1], heads[2] = 3, 3
    changed = treebank_bytes(treebank.with_heads(heads))
    assert len(changed.splitlines()) == len(path.read_bytes().splitlines())


def test_parts_of_the_sample(tmp_path, monkeypatch):
    with pytest.raises(WorkbenchError, match="the sample has no part 'x'; use sample, questions, function-heads"):
        load_sample("x")
    monkeypatch.setattr(sample, "FOLDER", tmp_path)
    with pytest.raises(WorkbenchError, match=r"questions\.conllu is missing; install the workbench again"):
        load_sample("questions")
    (tmp_path / "questions.conllu").write_text(U)
    assert load_sample("questions").name == "sample: questions"


def test_conll2008_reads_the_split_words():
    text = (
        "1\tlong-term\tlong-term\tJJ\tJJ\tlong\tlong\tJJ\t3\tNMOD\t_\n2\t_\t_\t_\t_\t-\t-\tHYPH\t1\tP\t_\n"
        "3\t_\t_\t_\t_\tterm\tterm\tNN\t0\tROOT\t_\n\n"
    )
    sentence = read_treebank(text.encode())[0]
    assert (sentence.forms[1:], sentence.xpos[1:]) == (("long", "-", "term"), ("JJ", "HYPH", "NN"))
    assert (sentence.heads.tolist(), sentence.deprels[1:]) == ([-1, 3, 1, 0], ("NMOD", "P", "ROOT"))
    unsplit = (
        text.replace("\tlong\tlong\t", "\t_\t_\t").replace("\t-\t-\t", "\t_\t_\t").replace("\tterm\tterm\t", "\t_\t_\t")
    )
    assert read_conll2008(unsplit.encode())[0].forms[1] == "long-term"
    assert conllu_text(read_conll2008(text.encode())) == text


def test_conll2009_takes_predicted_columns_where_gold_ones_are_empty():
    text = "1\tIt\t_\tit\tPRP\tX\t_\tn=s\t_\t2\t_\tSBJ\t_\t_\n2\tis\t_\tbe\tVBZ\tY\t_\t_\t_\t0\t_\tROOT\t_\t_\n\n"
    treebank = read_conll2009(text.encode())
    sentence = treebank[0]
    assert (sentence.lemmas[1:], sentence.xpos[1:], sentence.feats[1]) == (("it", "be"), ("PRP", "VBZ"), "n=s")
    assert (sentence.heads.tolist(), sentence.deprels[1:]) == ([-1, 2, 0], ("SBJ", "ROOT"))
    assert conllu_text(treebank) == text
    turned = treebank.with_heads([-1, 0, 1], ["", "A", "B"])
    assert conllu_text(turned).startswith("1\tIt\t_\tit\tPRP\tX\t_\tn=s\t_\t0\t_\tA\t_\t_\n2")


@pytest.mark.parametrize("change", [lambda text: text.replace("\n", "\r"), lambda text: text.replace("\n", "\r\r\n")])
def test_line_ends_of_all_kinds(change):
    treebank = read_conllu(change(U + U).encode())
    assert (len(treebank), treebank[1].forms) == (2, ("", "go"))


def test_byte_order_marks_within_are_no_part_of_a_line():
    treebank = read_conllu(("\ufeff" + U + "\ufeff" + U).encode())
    assert [sentence.sent_id for sentence in treebank] == ["1", "1"]
    assert conllu_text(treebank) == "\ufeff" + U + U
