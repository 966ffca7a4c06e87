"""Words split and merged: what is there afterwards is valid, and what was there comes back."""

import random

import pytest

from core.annotation.sentence_block import is_connected, sentence_block
from core.annotation.sentence_edits import merge_sentences, split_sentence
from core.annotation.word_edits import (
    WordPart,
    correct_form,
    correct_lemma,
    delete_empty_node,
    delete_word,
    dissolve_token,
    insert_empty_node,
    insert_word,
    make_token,
    merge_words,
    set_space,
    split_word,
)
from core.errors import WorkbenchError
from core.treebank import read_conllu
from tests.annotation.official import official_faults
from tests.filled import filled

HARBOUR = """# newpar
# sent_id = harbour-7
# text = Vam veure el vaixell delport, i tornà.
# text_en = We saw the ship of the harbour, and it came back.
1	Vam	anar	AUX	_	Tense=Past	2	aux	2:aux	_
2	veure	veure	VERB	_	VerbForm=Inf	0	root	0:root	_
3	el	el	DET	_	_	4	det	4:det	_
4	vaixell	vaixell	NOUN	_	_	2	obj	2:obj|8:nsubj	_
5	delport	delport	NOUN	_	Number=Sing	4	nmod	4:nmod	SpaceAfter=No|Gloss=harbour
6	,	,	PUNCT	_	_	8	punct	8:punct	_
7	i	i	CCONJ	_	_	8	cc	8:cc	_
7.1	ell	ell	PRON	_	_	_	_	8:nsubj	_
8	tornà	tornar	VERB	_	Tense=Past	2	conj	2:conj:i	SpaceAfter=No
9	.	.	PUNCT	_	_	2	punct	2:punct	_

"""
DEL = (WordPart("de", "de", "ADP", deprel="case"), WordPart("el", "el", "DET", deprel="det", beside=True))


@pytest.fixture
def block():
    return sentence_block(HARBOUR)


def lines(block, *numbers):
    words = block.words
    return ["\t".join(words[number - 1].fields) for number in numbers]


def test_a_word_becomes_two_without_a_space(block):
    edited = split_word(block, 5, ["del", "port"])
    (after,) = edited.blocks
    assert lines(after, 5, 6) == [
        "5\tdel\tdelport\tNOUN\t_\tNumber=Sing\t4\tnmod\t4:nmod\tGloss=harbour|SpaceAfter=No",
        "6\tport\t_\tX\t_\t_\t5\tdep\t5:dep\tSpaceAfter=No",
    ]
    assert after.comment("text") == block.comment("text")
    assert [node.id for node in after.nodes if not node.is_word] == ["8.1"]
    assert after.words[8].fields[6:9] == ("2", "conj", "2:conj:i")  # tornà, 9 by now
    assert after.words[3].fields[8] == "2:obj|9:nsubj"
    assert edited.places == ((0, 1), (0, 2), (0, 3), (0, 4), (0, 5), (0, 7), (0, 8), (0, 9), (0, 10))


def test_a_contraction_is_a_token_of_its_parts_and_one_may_hang_beside(block):
    two = split_word(block, 5, ["del", "port"]).blocks[0]
    (after,) = split_word(two, 5, DEL).blocks
    (token,) = after.tokens
    assert token.fields == ("5-6", "del", *["_"] * 7, "SpaceAfter=No")
    assert lines(after, 5, 6)[1] == "6\tel\tel\tDET\t_\t_\t4\tdet\t4:det\t_"
    assert after.surface() == block.surface()
    three = split_word(after, 6, ["e", "l"]).blocks[0]  # the token grows
    assert [token.fields[0] for token in three.tokens] == ["5-7"]
    assert merge_words(merge_words(three, 6, 7).blocks[0], 5, 6).blocks[0] == two
    assert (
        merge_words(merge_words(merge_words(three, 6, 7).blocks[0], 5, 6).blocks[0], 5, 6).blocks[0].text() == HARBOUR
    )


def test_merging_keeps_the_head_outside_and_the_dependents(block):
    (after,) = merge_words(block, 3, 5).blocks
    assert lines(after, 3) == [
        "3\telvaixelldelport\tvaixell\tNOUN\t_\t_\t2\tobj\t2:obj|6:nsubj\tGloss=harbour|SpaceAfter=No"
    ]
    assert after.comment("text") == "Vam veure elvaixelldelport, i tornà."
    (whole,) = merge_words(block, 1, 9, "tot").blocks
    assert lines(whole, 1)[0].startswith("1\ttot\tveure\tVERB\t_\tVerbForm=Inf\t0\troot\t0:root")


def test_a_token_is_made_corrected_and_dissolved(block):
    made = make_token(block, 3, 4, "elvaixell").blocks[0]
    assert made.comment("text").startswith("Vam veure elvaixell delport")
    corrected = correct_form(made, 3, "l’vaixell", of_token=True).blocks[0]
    assert corrected.tokens[0].fields[1] == "l’vaixell"
    assert dissolve_token(corrected, 4).blocks[0].text() == HARBOUR
    fresh = sentence_block(made.text())  # it no longer knows how its words were spaced
    assert dissolve_token(fresh, 4).blocks[0].comment("text").startswith("Vam veure elvaixell delport")


MARKED = """# markup = a 3-5 | i 5-5 | b 1-2
# places = [["a", 3, 5, "body > p > a", "<a href=x>"], ["i", 5, 5, "i", "<i>"]]
# markup says nothing of it
"""


def marks_of(block):
    return [comment.partition("= ")[2] for comment in block.comments if "= " in comment][:2]


def test_marks_hold_the_same_words_after_an_edit():
    block = sentence_block(MARKED + HARBOUR)
    (split,) = split_word(block, 5, ["de", "l", "port"]).blocks
    assert marks_of(split)[0] == "a 3-7 | i 5-7 | b 1-2" and '["i", 5, 7,' in marks_of(split)[1]
    assert merge_words(split, 5, 7).blocks[0].text() == MARKED + HARBOUR
    (merged,) = merge_words(block, 4, 5).blocks
    assert marks_of(merged)[0] == "a 3-4 | i 4-4 | b 1-2"
    (deleted,) = delete_word(block, 5).blocks
    assert marks_of(deleted)[0] == "a 3-4 | b 1-2" and '"i"' not in marks_of(deleted)[1]
    (inserted,) = insert_word(block, 5, "gran").blocks
    assert marks_of(inserted)[0] == "a 3-5 | i 5-5 | b 1-2"
    assert "# markup says nothing of it" in deleted.comments


def test_a_mark_that_ends_far_behind_its_sentence_is_cut_at_once():
    far = "# markup = a 3-999999999\n# places = " + '[["a", 3, 99999999999, "a", "<a>"]]\n'
    (deleted,) = delete_word(sentence_block(far + HARBOUR), 5).blocks
    assert marks_of(deleted) == ["a 3-8", '[["a", 3, 8, "a", "<a>"]]']
    block = sentence_block(f"# markup = a 3-{'9' * 5000}\n" + HARBOUR)  # no number at all
    assert delete_word(block, 5).blocks[0].comments[0] == block.comments[0]


def test_a_comment_in_another_notation_stays():
    block = sentence_block("# markup = bold throughout\n# places = Barcelona\n" + HARBOUR)
    assert delete_word(block, 1).blocks[0].comments[:2] == block.comments[:2]


def test_enhanced_arcs_from_what_is_no_node_go_with_an_edit():
    fields = (("1", "0", "0:root|x:dep"), ("2", "1", "yy:dep"), ("3", "1", "1:dep"))
    text = "".join(f"{id}\tw\tw\tX\t_\t_\t{head}\tdep\t{deps}\t_\n" for id, head, deps in fields) + "\n"
    block = sentence_block(text)
    assert [node.fields[8] for node in delete_word(block, 2).blocks[0].words] == ["0:root", "1:dep"]
    assert [node.fields[8] for node in merge_words(block, 2, 3).blocks[0].words] == ["0:root", "1:dep"]


def test_forms_lemmas_and_spaces_are_corrected(block):
    assert correct_form(block, 5, "dellport").blocks[0].comment("text") == "Vam veure el vaixell dellport, i tornà."
    assert lines(correct_lemma(block, 5, "").blocks[0], 5)[0].split("\t")[2] == "_"
    spaced = set_space(block, 5, True).blocks[0]
    assert spaced.comment("text") == "Vam veure el vaixell delport , i tornà."
    assert set_space(spaced, 5, False).blocks[0].words[4].fields[9] == "Gloss=harbour|SpaceAfter=No"


def test_a_deleted_word_leaves_its_dependents_to_its_head(block):
    edited = delete_word(block, 4)
    (after,) = edited.blocks
    assert edited.places[3] == (0, 0)
    assert lines(after, 3, 4)[0].split("\t")[6:9] == ["2", "det", "2:det"]
    root = delete_word(block, 2).blocks[0]
    assert [word.fields[6] for word in root.words].count("0") == 1 and is_connected(root.nodes)


def test_words_and_empty_nodes_are_inserted(block):
    (after,) = insert_word(block, 4, WordPart("gran", upos="ADJ", deprel="amod")).blocks
    assert lines(after, 5) == ["5\tgran\t_\tADJ\t_\t_\t2\tamod\t2:amod\t_"]
    (with_node,) = insert_empty_node(block, 7, "hi").blocks
    assert [node.id for node in with_node.nodes if not node.is_word] == ["7.1", "7.2"]
    assert delete_empty_node(with_node, "7.2").blocks[0].text() == HARBOUR


def test_a_sentence_is_split_and_merged(block):
    edited = split_sentence(block, 6, taken={"harbour-7-1"})
    first, second = edited.blocks
    assert (first.comment("sent_id"), second.comment("sent_id")) == ("harbour-7-2", "harbour-7-3")
    assert (first.comment("text"), second.comment("text")) == ("Vam veure el vaixell delport", ", i tornà.")
    assert "# comments_of = harbour-7" in first.comments and second.comment("text_en") is None
    assert [word.fields[6:8] for word in second.words] == [("3", "punct"), ("3", "cc"), ("0", "root"), ("3", "punct")]
    assert edited.places[5] == (1, 1)
    assert merge_sentences(first, second).blocks[0].text() == HARBOUR
    changed = merge_sentences(first, correct_form(second, 3, "torna").blocks[0]).blocks[0]
    assert changed.comment("sent_id") == "harbour-7-2" and changed.words[7].fields[6:8] == ("2", "parataxis")


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (lambda block: split_word(block, 12, ["a", "b"]), "there is no word 12; this sentence has words 1 to 9"),
        (lambda block: split_word(block, 5, ["delport"]), "give one form for each"),
        (lambda block: split_word(block, 5, ["del", " "]), "write its letters"),
        (lambda block: split_word(block, 5, ["del", "\u0301"]), "write its letters"),
        (lambda block: split_word(block, 5, ["d", "port"], is_token=False), "make it a multiword token"),
        (lambda block: merge_words(block, 5, 5), "two words or more"),
        (lambda block: make_token(make_token(block, 3, 4).blocks[0], 4, 5), "dissolve it first"),
        (lambda block: merge_words(make_token(block, 3, 4).blocks[0], 4, 5), "dissolve it first"),
        (lambda block: split_sentence(make_token(block, 3, 4).blocks[0], 4), "split elsewhere"),
        (lambda block: split_sentence(block, 1), "before its second word"),
        (lambda block: dissolve_token(block, 1), "in no multiword token"),
        (lambda block: set_space(make_token(block, 3, 4).blocks[0], 3, False), "set the space after its last word"),
        (lambda block: delete_empty_node(block, "2.1"), "there is no empty node '2.1'"),
        (lambda block: correct_form(block, 1, "a\tb"), "holds a tab"),
        (
            lambda block: delete_word(sentence_block("1\tSí\t_\tINTJ\t_\t_\t0\troot\t_\t_\n\n"), 1),
            "would have no words",
        ),
        (lambda block: sentence_block("1\tSí\t_\n"), "is no line of CoNLL-U"),
    ],
)
def test_an_edit_that_cannot_be_made_says_why(block, edit, said):
    with pytest.raises(WorkbenchError, match=said.replace("'", ".").replace("(", "\\(")):
        edit(block)


def any_edit(block, rng):
    count = len(block.words)
    number = rng.randint(1, count)
    end = min(count, number + rng.randint(1, 3))
    form = block.word(number).fields[1]
    return rng.choice(
        [
            lambda: split_word(block, number, [form[:1], form[1:]]),
            lambda: split_word(block, number, ["ab", "cd", "e"]),
            lambda: merge_words(block, number, end),
            lambda: make_token(block, number, end),
            lambda: dissolve_token(block, number),
            lambda: correct_form(block, number, form + "x"),
            lambda: set_space(block, number, rng.random() < 0.5),
            lambda: insert_word(block, number - 1, "nou"),
            lambda: delete_word(block, number),
            lambda: insert_empty_node(block, number, "nul"),
            lambda: delete_empty_node(block, "7.1"),
            lambda: split_sentence(block, number),
            lambda: merge_sentences(*(sentence_block(part.text()) for part in split_sentence(block, number).blocks)),
        ]
    )()


def test_random_edits_make_no_fault_by_the_official_validator():
    rng, texts = random.Random(5), []
    while len(texts) < 300:
        block = sentence_block(HARBOUR)
        for _ in range(rng.randint(1, 5)):
            try:
                blocks = any_edit(block, rng).blocks
            except WorkbenchError:
                continue
            block = sentence_block(rng.choice(blocks).text()) if rng.random() < 0.3 else rng.choice(blocks)
        texts.append(block.text().replace("harbour-7", f"harbour-{len(texts)}"))
        assert len(read_conllu(block.text().encode())) == 1
    whole = "".join(text.replace("# newpar\n", "") for text in texts)
    assert not official_faults(HARBOUR, level=2)
    assert not official_faults(whole, level=2)


def test_words_tokens_and_sentences_come_back_to_the_byte(shared_data):
    rng, sentences = random.Random(3), []
    for path in sorted(shared_data.rglob("*.conllu")):
        texts = path.read_text(encoding="utf-8").replace("\r\n", "\n").rstrip("\n").split("\n\n")
        sentences += [f"{text}\n\n" for text in rng.sample(texts, min(5, len(texts)))]
    for text in filled(sentences):
        block = sentence_block(text)
        assert block.text() == text
        number = rng.randint(1, len(block.words))
        form = block.word(number).fields[1]
        for parts in (["ab", "c", "d"], ["a" + form, form]):
            if " " not in form:
                edited = split_word(block, number, parts).blocks[0]
                assert merge_words(edited, number, number + len(parts) - 1).blocks[0].text() == text
        begins = (token := block.token_of(number)) is None or int(token.first) == number
        if number > 1 and begins:
            assert merge_sentences(*split_sentence(block, number).blocks).blocks[0].text() == text
        pair = range(max(number - 1, 1), number + 1)
        if number > 1 and not any(map(block.token_of, pair)) and not any(" " in block.word(k).fields[1] for k in pair):
            assert dissolve_token(make_token(block, *pair).blocks[0], number).blocks[0].text() == text


def test_a_comment_among_the_words_goes_before_them():
    text = "# sent_id = a\n1\tA\t_\t_\t_\t_\t2\tdet\t_\t_\n# note = x\n2\then\t_\t_\t_\t_\t0\troot\t_\t_\n\n"
    block = sentence_block(text)
    assert block.comments == ("# sent_id = a", "# note = x") and len(block.words) == 2
