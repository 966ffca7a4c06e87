"""Aligned words: by the shared task's own examples, its description as an oracle, and its script on cut-up text."""

import io
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from udtools.udeval import evaluate, load_conllu

from core.errors import WorkbenchError
from core.evaluation import conll2018_scores
from core.evaluation.alignment import align, same_words
from core.treebank import load_sample, read_conllu
from core.treebank.conllu import conllu_text
from tests.evaluation.recut import annotated, conllu, cuts, recut
from tests.oracles.alignment import aligned_words


def bank(text):
    return read_conllu(text.encode())


def tokens(said):
    """A cut in one sentence: tokens apart by spaces, the words of a multiword token behind ``=``, joined by ``+``."""
    parts = (each.partition("=") for each in said.split())
    return [[(form, words.split("+") if words else []) for form, _, words in parts]]


# The cases with which the task's script tests itself (conll18_ud_eval.py 1.2, TestAlignment): gold, system, aligned.
PUBLISHED = [
    ("a", "a", 1),
    ("a b c", "a b c", 3),
    ("abc=a+b+c", "a b c", 3),
    ("a bc=b+c d", "a b c d", 4),
    ("abcd=a+b+c+d", "ab=a+b cd=c+d", 4),
    ("abc=a+b+c de=d+e", "a bcd=b+c+d e", 5),
    ("abcd", "a b c d", 0),
    ("abc d", "a b c d", 1),
    ("a bc d", "a b c d", 2),
    ("a bc=b+c d", "a b cd", 2),
    ("abc=a+BX+c def=d+EX+f", "ab=a+b cd=c+d ef=e+f", 4),
    ("ab=a+b cd=bc+d", "a bc d", 2),
    ("a bc=b+c d", "ab=AX+BX cd=CX+a", 1),
]


@pytest.mark.parametrize("gold, system, aligned", PUBLISHED)
def test_the_examples_of_the_shared_task(gold, system, aligned):
    gold, system = tokens(gold), tokens(system)
    found = conll2018_scores(bank(conllu(gold)), bank(conllu(system)))["Words"]
    sizes = [sum(len(words) or 1 for _, words in cut[0]) for cut in (gold, system)]
    assert (found.correct, found.gold, found.system) == (aligned, *sizes)
    assert found.f1 == pytest.approx(200 * aligned / sum(sizes))


def test_a_contraction_that_the_system_leaves_whole():
    # gold cuts "al" into two words, the system does not: of gold's 5 words 3 have a counterpart, of the system's 4 too.
    # Heads: vi is the root in both; al's words are lost, so mar's head is right and the stop's wrong
    gold = conllu(tokens("vi al=a+el mar ."), head=lambda number, size: (0, 4, 4, 1, 1)[number - 1])
    system = conllu(tokens("vi al mar ."), head=lambda number, size: (0, 3, 1, 3)[number - 1])
    found = conll2018_scores(bank(gold), bank(system))
    assert {name: (each.correct, each.gold, each.system, each.aligned) for name, each in found.items()} == {
        "Tokens": (4, 4, 4, None), "Sentences": (1, 1, 1, None), "Words": (3, 5, 4, None), "UPOS": (3, 5, 4, 3),
        "XPOS": (3, 5, 4, 3), "UFeats": (3, 5, 4, 3), "AllTags": (3, 5, 4, 3), "Lemmas": (3, 5, 4, 3),
        "UAS": (2, 5, 4, 3), "LAS": (2, 5, 4, 3), "CLAS": (2, 5, 4, 3), "MLAS": (2, 5, 4, 3), "BLEX": (2, 5, 4, 3),
    }  # fmt: skip
    uas = found["UAS"]
    assert (uas.recall, uas.precision) == (40, 50) and uas.f1 == pytest.approx(400 / 9)
    assert uas.aligned_accuracy == pytest.approx(200 / 3)
    assert found["Words"].aligned_accuracy is None and "aligned" not in found["Words"].as_dict()


def test_spaces_within_tokens_and_capitals_of_words_do_not_count():
    gold, system = (
        conllu([[("10 000", []), ("Al", ["A", "el"])]]),
        conllu([[("10", []), ("000", []), ("Al", ["a", "El"])]]),
    )
    found = conll2018_scores(bank(gold), bank(system))
    assert (found["Words"].correct, found["Tokens"].correct) == (2, 1)


def test_a_head_that_no_word_stands_for_is_wrong_and_so_is_no_head():
    gold = conllu(tokens("ab c"), head=lambda number, size: (0, 1)[number - 1])
    system = conllu(tokens("a b c"), head=lambda number, size: (0, 1, 1)[number - 1])
    assert conll2018_scores(bank(gold), bank(system))["UAS"].correct == 0
    unknown = bank(gold).with_heads([-1, -1, -1, -1][: len(bank(gold).heads)])
    assert conll2018_scores(bank(gold), unknown)["UAS"].correct == 0


LETTERS = "abcdefgh"  # each but once, and words of its own letters: only words in one stretch of text can be alike


@settings(deadline=None, max_examples=100)
@given(st.integers(1, len(LETTERS)).flatmap(lambda n: st.tuples(*[cuts(LETTERS[:n], st.sampled_from)] * 2)))
def test_as_many_words_are_aligned_as_the_description_says(two):
    gold, system = two
    found = align(bank(conllu(gold)), bank(conllu(system)))
    assert len(found.gold) == len(found.system) == aligned_words(gold, system)


def official(gold, system):
    return evaluate(*(load_conllu(io.StringIO(text), "text", {}) for text in (gold, system)))


def require_the_same(gold, system):
    expected = official(gold, system)
    for name, found in conll2018_scores(bank(gold), bank(system)).items():
        theirs = expected[name]
        counts = (theirs.correct, theirs.gold_total, theirs.system_total, theirs.aligned_total)
        assert (found.correct, found.gold, found.system, found.aligned) == counts, name
        assert (found.f1 or 0) == pytest.approx(100 * theirs.f1)


@settings(deadline=None, max_examples=100)
@given(st.data())
def test_every_score_is_that_of_the_official_script(data):
    text = data.draw(st.text("ab", min_size=1, max_size=8))
    parts = st.sampled_from(["a", "b", "A", "ab"])
    require_the_same(*(data.draw(annotated(data.draw(cuts(text, lambda form: parts)))) for _ in range(2)))


@pytest.mark.parametrize("name", ["ud/de_gsd-test", "ud/es_gsd-test", "ud/tr_imst-test", "ud/ja_gsd-test"])
def test_real_text_cut_anew_is_scored_as_by_the_official_script(shared_data, name):
    text = conllu_text(read_conllu(shared_data / f"{name}.conllu").limit(100))
    again = [recut(text, random.Random(seed)) for seed in (1, 2)]
    require_the_same(text, text)
    require_the_same(text, again[0])
    require_the_same(*again)


def test_the_sample_cut_anew_is_scored_as_by_the_official_script():
    text = conllu_text(load_sample())
    require_the_same(text, recut(text, random.Random(3)))


def test_the_same_words_stand_for_themselves():
    treebank = bank(conllu([[("a", []), ("bc", ["b", "c"])], [("d", [])]]))
    one, two = align(treebank, treebank), same_words(treebank)
    assert one.gold.tolist() == two.gold.tolist() == two.system.tolist() == [1, 2, 3, 5]
    assert (one.tokens, one.sentences) == (two.tokens, two.sentences) == ((3, 3, 3), (2, 2, 2))


def test_texts_of_other_characters_are_told_where_they_part():
    gold = bank(conllu(tokens("the cat sat") + tokens("down al=a+el end")))
    other = bank(conllu(tokens("the ca ts") + tokens("at up")))
    with pytest.raises(
        WorkbenchError, match=r"part at gold's sentence 2, word 1 \(down\) and .* sentence 2, word 2 \(up\)"
    ):
        align(gold, other)
    with pytest.raises(WorkbenchError, match=r"gold's sentence 2, word 4 \(end\) and the system's end; give both"):
        align(gold, bank(conllu(tokens("thecatsat downal"))))


def test_a_range_that_one_text_lacks_is_named_as_it_is_written():
    words = "1\tvamos\t_\t_\t_\t_\t0\troot\t_\t_\n2\tnos\t_\t_\t_\t_\t1\tobj\t_\t_\n\n"
    gold, system = read_conllu(("1-2\tvámonos" + "\t_" * 8 + "\n" + words).encode()), read_conllu(words.encode())
    with pytest.raises(
        WorkbenchError, match=r"gold's sentence 1, words 1-2 \(vámonos\) and the system's sentence 1, w"
    ):
        align(gold, system)
