"""spaCy documents: nothing of a file is lost, and what a pipeline changed is taken from spaCy."""

import re

import pytest
import spacy
from hypothesis import given
from spacy.tokens import Doc, DocBin, Span
from spacy.vocab import Vocab

from core.errors import FormatError, WorkbenchError
from core.treebank.conllu import conllu_text, read_conllu, read_conllx
from core.treebank.render import treebank_bytes
from core.treebank.spacy_docs import from_docbin, from_docs, to_docbin, to_docs
from core.treebank.treebank import Treebank
from tests.oracles.treebank_texts import conllu_texts

TEXT = """# sent_id = a
# text = Im Haus, gut.
1-2\tIm\t_\t_\t_\t_\t_\t_\t_\tX=1
1\tin\tin\tADP\tAPPR\t_\t3\tcase\t3:case\t_
2\tdem\tder\tDET\tART\tCase=Dat|Gender=Neut\t3\tdet\t3:det\t_
3\tHaus\tHaus\tNOUN\tNN\tNumber=Sing|Case=Dat\t5\tobl\t5:obl\tSpaceAfter=No|Entity=B-LOC
4\t,\t,\tPUNCT\t$,\t_\t5\tpunct\t_\t_
4.1\tist\tsein\tAUX\t_\t_\t_\t_\t5:cop\t_
5\tgut\t_\tODD\t_\tbroken\t0\troot\t0:root\tSpaceAfter=No
6\t.\t.\tPUNCT\t$.\t_\t5\tpunct\t_\t_

1\ta\t_\t_\t_\t_\t3\tx\t_\t_
2\tb\t_\t_\t_\t_\t4\ty\t_\t_
3\tc\t_\t_\t_\t_\t0\tz\t_\t_
4\td\t_\t_\t_\t_\t3\t_\t_\t_
"""


def test_spacy_sees_what_the_file_says():
    doc = to_docs(read_conllu(TEXT.encode()))[0]
    assert doc.text == "indem Haus, gut. "
    assert [token.pos_ for token in doc] == ["ADP", "DET", "NOUN", "PUNCT", "", "PUNCT"]
    assert [token.tag_ for token in doc] == ["APPR", "ART", "NN", "$,", "", "$."]
    assert [token.lemma_ for token in doc] == ["in", "der", "Haus", ",", "", "."]
    assert [token.head.i for token in doc] == [2, 2, 4, 4, 4, 4]
    assert [token.dep_ for token in doc] == ["case", "det", "obl", "punct", "ROOT", "punct"]
    assert doc[1].morph.to_dict() == {"Case": "Dat", "Gender": "Neut"}
    assert [(entity.text, entity.label_) for entity in doc.ents] == [("Haus", "LOC")]


@pytest.mark.parametrize("size", [1, 2, 5])
@pytest.mark.parametrize("change", [str, lambda text: text.replace("\n", "\r\n"), lambda text: "\ufeff" + text])
def test_nothing_is_lost(size, change):
    treebank = read_conllu(change(TEXT).encode())
    docs = to_docs(treebank, sentences_per_doc=size)
    assert sum(len(list(doc.sents)) for doc in docs) == 2
    assert treebank_bytes(from_docs(docs)) == treebank_bytes(treebank)
    assert treebank_bytes(from_docbin(to_docbin(treebank, sentences_per_doc=size))) == treebank_bytes(treebank)


@given(conllu_texts())
def test_any_conllu_comes_back(drawn):
    treebank = read_conllu(drawn[0].encode())
    assert treebank_bytes(from_docs(to_docs(treebank, sentences_per_doc=2))) == treebank_bytes(treebank)


def test_edits_and_selections_come_back():
    treebank = read_conllu(TEXT.encode()).select([1, 0]).with_heads([-1, 2, 0, 2, 2, -1, 3, 3, 5, 5, 0, 5])
    assert treebank_bytes(from_docs(to_docs(treebank))) == treebank_bytes(treebank)


def test_nonprojective_trees_several_roots_and_no_trees():
    text = "1\ta\t_\tN\tN\t_\t3\tx\n2\tb\t_\tN\tN\t_\t4\tx\n3\tc\t_\tN\tN\t_\t0\tx\n4\td\t_\tN\tN\t_\t0\tx\n\n"
    treebank = read_conllx(text.encode())
    doc = to_docs(treebank)[0]
    assert [token.head.i for token in doc] == [2, 3, 2, 2]
    assert from_docs([doc])[0].heads.tolist() == [-1, 3, 4, 0, 0]
    bare = Treebank.from_sentences([{"forms": ["a", "b"]}, {"forms": ["c", "d"], "heads": [0, None]}])
    for size in (1, 2):
        docs = to_docs(bare, sentences_per_doc=size)
        assert not any(doc.has_annotation("DEP") for doc in docs)
        assert [len(list(doc.sents)) for doc in docs] == [size] * (2 // size)
        assert treebank_bytes(from_docs(docs)) == treebank_bytes(bare)


def test_what_a_pipeline_changes_is_taken_from_it():
    doc = to_docs(read_conllu(TEXT.encode()), sentences_per_doc=2)[0]
    doc[4].tag_, doc[4].lemma_, doc[0].pos_ = "ADJD", "gut", "SCONJ"
    doc[4].set_morph("Degree=Pos")
    doc[0].head, doc[0].dep_ = doc[4], "obl"
    doc.set_ents([Span(doc, 4, 5, label="MOOD")])
    changed = conllu_text(from_docs([doc])).splitlines()
    expected = re.sub(r"\t\d+:\w+\t", "\t_\t", TEXT).splitlines()  # enhanced dependencies go as a whole
    expected[3] = "1\tin\tin\tSCONJ\tAPPR\t_\t5\tobl\t_\t_"
    expected[5] = expected[5].replace("|Entity=B-LOC", "")
    expected[8] = "5\tgut\tgut\tODD\tADJD\tDegree=Pos\t0\troot\t_\tSpaceAfter=No|Entity=B-MOOD"
    del expected[7]  # an empty node
    assert changed[:7] == expected[:7]
    assert set(changed[7].split("\t")[9].split("|")) == set(expected[7].split("\t")[9].split("|"))
    assert changed[7].split("\t")[:9] == expected[7].split("\t")[:9]
    assert changed[8:] == expected[8:]


def test_documents_from_elsewhere():
    doc = Doc(
        Vocab(),
        words=["New", "York", " \n", "is", "n't", "big", ".", "Yes"],
        spaces=[True, False, False, False, True, False, True, False],
        pos=["PROPN", "PROPN", "SPACE", "AUX", "PART", "ADJ", "PUNCT", "INTJ"],
        tags=["NNP", "NNP", "_SP", "VBZ", "RB", "JJ", ".", "UH"],
        lemmas=["New", "York", " \n", "be", "not", "big", ".", "yes"],
        morphs=["Number=Sing", "Number=Sing", "", "", "", "Degree=Pos", "", ""],
        heads=[1, 3, 1, 3, 3, 3, 3, 7],
        deps=["compound", "nsubj", "dep", "ROOT", "neg", "acomp", "punct", "ROOT"],
        ents=["B-GPE", "I-GPE", "O", "O", "O", "O", "O", "O"],
    )
    assert conllu_text(from_docs([doc], name="x.spacy")) == (
        "# sent_id = x-1\n# newdoc\n# text = New York isn't big.\n"
        "1\tNew\tNew\tPROPN\tNNP\tNumber=Sing\t2\tcompound\t_\tEntity=B-GPE\n"
        "2\tYork\tYork\tPROPN\tNNP\tNumber=Sing\t3\tnsubj\t_\tEntity=I-GPE|SpacesAfter=\\s\\n\n"
        "3\tis\tbe\tAUX\tVBZ\t_\t0\troot\t_\tSpaceAfter=No\n"
        "4\tn't\tnot\tPART\tRB\t_\t3\tneg\t_\t_\n"
        "5\tbig\tbig\tADJ\tJJ\tDegree=Pos\t3\tacomp\t_\tSpaceAfter=No\n"
        "6\t.\t.\tPUNCT\t.\t_\t3\tpunct\t_\t_\n\n"
        "# sent_id = x-2\n# text = Yes\n"
        "1\tYes\tyes\tINTJ\tUH\t_\t0\troot\t_\tSpaceAfter=No\n\n"
    )


def test_a_pipeline_without_parser():
    pipeline = spacy.blank("en")
    treebank = from_docs([pipeline("One. Two."), pipeline("x"), pipeline("")])
    assert [len(sentence) for sentence in treebank] == [2, 2, 1]
    assert treebank.source.notes == (
        "1 document does not say where its sentences end, and is cut into sentences after stops",
    )
    pipeline.add_pipe("sentencizer")
    treebank = from_docs([pipeline("One. Two!")])
    assert [sentence.forms[1:] for sentence in treebank] == [("One", "."), ("Two", "!")]
    assert (treebank.heads == -1).all()


def test_sentences_of_a_document_without_ends_end_as_in_its_language():
    greek = from_docs([spacy.blank("el")("Πού πηγαίνεις; Ο κ. Νίκος ήρθε χθες. Καλά είμαι.")])
    assert [len(sentence) for sentence in greek] == [3, 6, 3]


def test_a_foreign_or_outdated_text_is_ignored():
    for stored in ("abc", ["not CoNLL-U"], [1], [TEXT]):
        doc = Doc(Vocab(), words=["a", "b"])
        doc.user_data["conllu"] = stored
        other = to_docs(read_conllu(TEXT.encode()))[0]
        treebank = from_docs([doc, other])
        assert treebank[0].forms == ("", "a", "b")
        assert treebank[1].comment("text") == "Im Haus, gut."


def test_whitespace_between_a_word_and_its_head_is_skipped():
    doc = Doc(Vocab(), words=["a", "\n", "b"], heads=[1, 2, 2], deps=["x", "y", "ROOT"])
    assert from_docs([doc])[0].heads.tolist() == [-1, 2, 0]


def test_files(tmp_path):
    path = tmp_path / "corpus.spacy"
    DocBin(docs=[Doc(Vocab(), words=["a"])]).to_disk(path)
    assert from_docbin(path).name == "corpus.spacy"
    for data in (b"no zlib", b"x\x9cK\xcb\xcf\x07\x00\x02\x82\x01E"):  # the second holds "foo"
        with pytest.raises(FormatError, match="this is no spaCy DocBin"):
            from_docbin(data)
    with pytest.raises(FormatError, match="no such file"):
        from_docbin(tmp_path / "none.spacy")


def test_sizes():
    with pytest.raises(WorkbenchError, match="a document needs 1 sentence or more, got sentences_per_doc=0"):
        to_docs(read_conllu(TEXT.encode()), sentences_per_doc=0)
    assert to_docs(Treebank.from_sentences([])) == []
    assert len(from_docs([])) == 0


def test_real_files_come_back(shared_data):
    for name in ("en-ewt/ewt-dev.conllu", "ud/nl_alpino-test.conllu", "en-wsj/wsj-sample.conllu"):
        treebank = read_conllu(shared_data / name).limit(200)
        docs = to_docs(treebank, sentences_per_doc=3)
        assert sum(len(list(doc.sents)) for doc in docs) == 200
        assert treebank_bytes(from_docs(docs)) == treebank_bytes(treebank)


def test_the_word_below_a_blank_root_is_the_root():
    words, deps = ["\n", "Well", "hello", "you"], ["ROOT", "discourse", "obj", "dep"]
    doc = Doc(spacy.blank("en").vocab, words=words, spaces=[False, True, True, False], heads=[0, 0, 0, 2], deps=deps)
    sentence = from_docs([doc])[0]
    assert (sentence.heads.tolist(), sentence.deprels) == ([-1, 0, 1, 2], ("", "root", "obj", "dep"))


@pytest.mark.parametrize(
    ("form", "words", "text"),
    [
        ("po prostu", ("po", "prostu"), "po prostu dom"),
        ("daj mi", ("dać", "ja"), "dać ja dom"),
        ("a bc", ("a", "b", "c"), "a bc dom"),
        ("du", ("de", "le"), "dele dom"),
    ],
)
def test_a_blank_within_a_range_is_a_space(form, words, text):
    lines = [f"1-{len(words)}\t{form}" + "\t_" * 8]
    lines += [f"{number}\t{word}\t_\t_\t_\t_\t{number - 1}\tdep\t_\t_" for number, word in enumerate(words, start=1)]
    lines += [f"{len(words) + 1}\tdom\t_\t_\t_\t_\t1\tdep\t_\tSpaceAfter=No", "", ""]
    treebank = read_conllu("\n".join(lines).encode())
    assert to_docs(treebank)[0].text == text
    assert conllu_text(from_docs(to_docs(treebank))) == conllu_text(treebank)
