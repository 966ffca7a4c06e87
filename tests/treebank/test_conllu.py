"""Reading and writing CoNLL-U, against the library ``conllu`` and a plain split."""

import conllu
import numpy as np
import pytest
from hypothesis import given

from core.treebank import Treebank, conllu_text, read_conllu, write_conllu
from core.treebank.render import treebank_bytes
from tests.filled import filled
from tests.oracles import treebank as oracle
from tests.oracles.treebank_texts import conllu_texts

TEXT = """# newdoc id = d
# sent_id = s1
# text = Don't go .
1-2\tDon't\t_\t_\t_\t_\t_\t_\t_\tNote=Yes
1\tDo\tdo\tAUX\tVB\tMood=Imp\t3\taux\t3:aux\t_
2\tn't\tnot\tPART\tRB\t_\t3\tadvmod\t3:advmod\t_
3\tgo\tgo\tVERB\tVB\t_\t0\troot\t0:root\tSpaceAfter=No
3.1\taway\taway\tADV\t_\t_\t_\t_\t3:advmod\t_
4\t_\t_\tPUNCT\t.\t_\t3\tpunct\t3:punct\t_

1\tÅ\t_\t_\t_\t_\t_\t_\t_\t_

"""


def test_columns_have_a_row_for_each_word_and_root():
    treebank = read_conllu(TEXT.encode(), name="two")
    assert (len(treebank), treebank.token_count, treebank.name) == (2, 5, "two")
    assert treebank.offsets.tolist() == [0, 5, 7] and treebank.lengths.tolist() == [4, 1]
    assert [treebank.upos[row] for row in range(7)] == ["", "AUX", "PART", "VERB", "PUNCT", "", ""]
    assert treebank.form.values[0] == treebank.lemma.values[0] == "" and treebank.xpos.ids.dtype == np.int32
    sentence, unannotated = treebank
    assert sentence.forms == ("", "Do", "n't", "go", "_")  # a word, not an empty field
    assert sentence.misc == ("", "", "", "SpaceAfter=No", "")
    assert sentence.comments == ("# newdoc id = d", "# sent_id = s1", "# text = Don't go .")
    assert (len(sentence), sentence.sent_id, sentence.text) == (4, "s1", "Don't go .")
    assert (unannotated.sent_id, unannotated.text) == (None, "Å")
    assert read_conllu(TEXT.replace("# text", "# t").encode())[0].text == "Don't go_"  # joined from words and ranges


def test_a_treebank_can_be_walked_from_both_ends():
    treebank = read_conllu(TEXT.encode())
    assert treebank[-1].forms == treebank[1].forms == ("", "Å")
    with pytest.raises(IndexError, match="sentence 2 of 2"):
        treebank[2]


@given(conllu_texts())
def test_any_text_comes_back_byte_for_byte_and_so_does_any_selection(drawn):
    text, forms = drawn
    treebank = read_conllu(text.encode())
    assert treebank_bytes(treebank) == text.encode()
    assert [list(sentence.forms[1:]) for sentence in treebank] == forms
    rows = oracle.read_rows(text)
    assert treebank.heads.tolist() == [head for sentence in rows for head in oracle.heads_of(sentence)]
    for name, column in (("lemmas", 2), ("upos", 3), ("xpos", 4), ("feats", 5), ("deprels", 7)):
        expected = [["" if row[column] == "_" else row[column] for row in sentence] for sentence in rows]
        assert [list(getattr(sentence, name)[1:]) for sentence in treebank] == expected
    backwards = treebank.select(np.arange(len(treebank))[::-1])
    again = read_conllu(treebank_bytes(backwards))
    assert [list(sentence.forms[1:]) for sentence in again] == forms[::-1]
    assert again.heads.tolist() == backwards.heads.tolist()


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text,
        lambda text: text.replace("\n", "\r\n"),
        lambda text: "\ufeff" + text,
        lambda text: text.rstrip("\n"),
        lambda text: text.rstrip("\n") + "\n",
        lambda text: "\n\n" + text + "\n\n\n",
        lambda text: text + "# the end\n",
        lambda text: text.replace("\n\n", "\n \t\n"),
        lambda text: text.replace("\n1\tÅ", "\n# a paragraph\n\n# of comments\n1\tÅ"),
    ],
)
def test_oddities_of_files_are_kept(change, tmp_path):
    data = change(TEXT).encode()
    path = tmp_path / "odd.conllu"
    path.write_bytes(data)
    treebank = read_conllu(path)
    assert treebank.heads.tolist() == [-1, 3, 3, 0, 3, -1, -1]
    assert [s.forms[-1] for s in treebank] == ["_", "Å"]
    write_conllu(treebank, path)
    assert path.read_bytes() == data
    assert conllu_text(treebank) == change(TEXT)


def test_a_missing_last_blank_line_appears_when_a_sentence_follows():
    treebank = read_conllu(TEXT.rstrip("\n").encode())
    swapped = treebank_bytes(treebank.select([1, 0])).decode()
    assert swapped == "1\tÅ" + "\t_" * 8 + "\n\n" + TEXT.split("\n\n")[0] + "\n\n"


def test_interning_survives_many_values_and_long_words():
    words = [f"{'w' * (i % 40)}{i}" for i in range(1000)] * 2
    treebank = Treebank.from_sentences([{"forms": words, "xpos": [None, "x"] * 1000}])
    assert treebank[0].forms[1:] == tuple(words)
    assert len(treebank.form.values) == 1001
    assert treebank.xpos.values == ("", "x")
    assert treebank.tag_column() is treebank.xpos


def test_long_sentences_have_room():
    heads = list(range(700))  # a chain
    treebank = Treebank.from_sentences([{"forms": ["a"] * 700, "heads": heads}] * 2)
    assert treebank.heads.tolist() == [-1, *heads] * 2


def test_hash_is_of_the_text():
    treebank = read_conllu(TEXT.encode())
    assert treebank.content_hash == read_conllu(TEXT.encode()).content_hash
    assert treebank.content_hash != treebank.limit(1).content_hash
    assert treebank.limit(1).content_hash == read_conllu(treebank_bytes(treebank.limit(1))).content_hash


def test_every_shared_file_agrees_with_the_library_and_comes_back(large_files):
    for path in sorted(filled(large_files.rglob("*.conllu"))):
        treebank = read_conllu(path)
        assert treebank_bytes(treebank) == path.read_bytes(), path.name
        few = treebank.limit(50)
        rows = oracle.read_rows(conllu_text(few))
        assert few.heads.tolist() == [head for sentence in rows for head in oracle.heads_of(sentence)]
        for sentence, expected in zip(few, conllu.parse_incr(path.open(encoding="utf-8")), strict=False):
            words = [token for token in expected if isinstance(token["id"], int)]
            assert sentence.forms[1:] == tuple(word["form"] for word in words), path.name
            assert sentence.heads[1:].tolist() == [word["head"] for word in words]
            for name, key in (("upos", "upos"), ("xpos", "xpos"), ("deprels", "deprel")):
                assert getattr(sentence, name)[1:] == tuple(
                    (word[key] or "").replace("_", "", word[key] == "_") for word in words
                )
            assert sentence.sent_id == expected.metadata.get("sent_id")
