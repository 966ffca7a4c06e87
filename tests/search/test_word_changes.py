"""Requests that change the words themselves: previews, what is written, hits that meet."""

import pytest

from core.errors import WorkbenchError
from core.search import parse_request, propose, rewrite
from core.treebank import conllu_text, read_conllu
from core.workspace.corpus.rewriting import changes_words_alone, dry_run_table

MOLL = """# sent_id = moll-1
# text = Al llarg d el moll.
1	Al	al	ADP	_	_	2	case	_	_
2	llarg	llarg	NOUN	_	_	0	root	_	_
3	d	d	ADP	_	_	5	case	_	_
4	el	el	DET	_	_	5	det	_	_
5	moll	moll	NOUN	_	_	2	nmod	_	SpaceAfter=No
6	.	.	PUNCT	_	_	2	punct	_	_

# sent_id = moll-2
# text = Torno al moll.
1	Torno	tornar	VERB	_	_	0	root	_	_
2	al	al	ADP	_	_	3	case	_	_
3	moll	moll	NOUN	_	_	1	obl	_	SpaceAfter=No
4	.	.	PUNCT	_	_	1	punct	_	_

"""


def rewritten(request, text=MOLL):
    treebank = read_conllu(text.encode())
    return rewrite(treebank, propose(treebank, parse_request(request))[1])


def forms(result, index):
    return list(result.treebank[index].forms[1:])


def test_a_contraction_that_was_cut_is_joined_and_cut_as_a_token():
    joined = rewritten("pattern { X [form=d]; Y [form=el]; X < Y } commands { merge X Y; X.lemma = del }")
    assert forms(joined, 0) == ["Al", "llarg", "del", "moll", "."]
    assert joined.treebank[0].text == "Al llarg del moll." and joined.treebank[0].lemmas[3] == "del"
    assert joined.treebank[0].heads[1:].tolist() == [2, 0, 4, 2, 2]
    text = conllu_text(joined.treebank)
    cut = rewritten('pattern { X [form=re"[dD]el|al"i] } commands { split X "a" "el" }', text)
    assert len(cut.done) == 3 and forms(cut, 1) == ["Torno", "a", "el", "moll", "."]
    assert "\n2-3\tal\t" in conllu_text(cut.treebank) and cut.treebank[1].text == "Torno al moll."


def test_the_preview_shows_forms_before_and_after():
    treebank = read_conllu(MOLL.encode())
    hits, proposals = propose(treebank, parse_request('pattern { X [form=al] } commands { split X "a" "el" }'))
    table = dry_run_table(hits, proposals)
    assert (table["before"], table["after"]) == (["form al"], ["form a + el"])


def test_words_are_added_corrected_and_deleted():
    added = rewritten(
        "pattern { V [upos=VERB]; N [upos=NOUN] } commands { add_node A :< N; A.form = gran; A.upos = ADJ; "
        "A.Number = Sing; add_edge N -[amod]-> A }"
    )
    sentence = added.treebank[1]
    assert list(sentence.forms[3:5]) == ["gran", "moll"] and sentence.text == "Torno al gran moll."
    assert (sentence.upos[3], sentence.feats[3], sentence.deprels[3], sentence.heads[3]) == (
        "ADJ", "Number=Sing", "amod", 4,
    )  # fmt: skip
    corrected = rewritten("pattern { X [form=Torno] } commands { X.form = Torna; X.lemma = tornar }")
    assert corrected.treebank[1].text == "Torna al moll."
    deleted = rewritten("pattern { X [upos=ADP] } commands { del_node X }")
    assert forms(deleted, 0) == ["llarg", "el", "moll", "."] and deleted.treebank[0].text == "llarg el moll."


def test_hits_that_meet_are_refused_and_nothing_is_lost():
    result = rewritten("pattern { X []; Y []; X < Y } commands { merge X Y }")
    assert [list(sentence.forms[1:]) for sentence in result.treebank] == [["Alllargdelmoll."], ["Tornoalmoll."]]
    result = rewritten("pattern { X [] } commands { del_node X }")
    assert [len(sentence) for sentence in result.treebank] == [1, 1]
    assert {hit.refusal for hit in result.refused} == {
        "this sentence would have no words; delete the sentence from the file instead"
    }


def test_a_form_that_nobody_sees_is_refused():
    result = rewritten('pattern { X [form=al] } commands { split X "a" " " }')
    assert not result.done and "write its letters" in result.refused[0].refusal
    with pytest.raises(WorkbenchError, match="no commands"):
        rewritten("pattern { X [form=al] }")


def test_a_sentence_is_split_before_the_words_of_hits_once_all_words_are_changed():
    request = 'pattern { X [form=re"el|al"] } commands { split X "a" "el"; split_sentence X }'
    result = rewritten(request)
    assert [list(sentence.forms[1:]) for sentence in result.treebank] == [
        ["Al", "llarg", "d"], ["a", "el", "moll", "."], ["Torno"], ["a", "el", "moll", "."],
    ]  # fmt: skip
    assert [sentence.sent_id for sentence in result.treebank] == ["moll-1-1", "moll-1-2", "moll-2-1", "moll-2-2"]
    both = rewritten("pattern { X [upos=DET]; Y [form=moll] } commands { split_sentence X; split_sentence Y }")
    assert [len(sentence) for sentence in both.treebank] == [3, 1, 2, 4]
    refused = rewritten("pattern { X [] } commands { split_sentence X }")
    assert len(refused.treebank) == 10 and len(refused.done) == 8
    assert {hit.refusal for hit in refused.refused} == {
        "a sentence is split before its second word or a later one; name that word"
    }
    treebank = read_conllu(MOLL.encode())
    hits, proposals = propose(treebank, parse_request("pattern { X [form=al] } commands { split_sentence X }"))
    assert dry_run_table(hits, proposals)["after"] == ["form al, first of a sentence"]
    assert changes_words_alone(proposals, None)


THREE = (
    MOLL
    + """# sent_id = moll-3
# text = Plou.
1	Plou	ploure	VERB	_	_	0	root	_	SpaceAfter=No
2	.	.	PUNCT	_	_	1	punct	_	_

"""
)


def words(result):
    return [" ".join(sentence.forms[1:]) for sentence in result.treebank]


def test_sentences_are_merged_with_the_next_one_each_once():
    result = rewritten("pattern { X [form=al] } commands { merge_sentence X }", THREE)
    assert words(result) == ["Al llarg d el moll .", "Torno al moll . Plou ."]
    assert [sentence.sent_id for sentence in result.treebank] == ["moll-1", "moll-2"]
    assert result.treebank[1].text == "Torno al moll. Plou." and result.treebank[1].heads[5] == 1
    text = conllu_text(result.treebank)
    assert text.startswith(MOLL[: MOLL.index("# sent_id = moll-2")])  # to the byte
    every = rewritten("pattern { X [] } commands { merge_sentence X }", THREE)
    assert words(every) == ["Al llarg d el moll . Torno al moll . Plou ."] and every.treebank[0].sent_id == "moll-1"
    assert (len(every.done), len(every.refused)) == (10, 2)


def test_to_split_and_merge_moves_a_boundary_and_merging_the_parts_undoes_the_split():
    moved = rewritten("pattern { X [upos=PUNCT] } commands { split_sentence X; merge_sentence X }", THREE)
    assert words(moved) == ["Al llarg d el moll", ". Torno al moll", ". Plou ."]
    alone = rewritten("pattern { X [form=al] } commands { split_sentence X }", THREE)
    back = rewritten("pattern { X [form=Torno] } commands { merge_sentence X }", conllu_text(alone.treebank))
    assert words(back) == [" ".join(sentence.forms[1:]) for sentence in read_conllu(THREE.encode())]


def test_what_cannot_be_merged_is_refused_in_the_preview():
    treebank = read_conllu(THREE.replace("# sent_id = moll-2", "# newdoc\n# sent_id = moll-2").encode())
    hits, proposals = propose(treebank, parse_request('pattern { X [form="."] } commands { merge_sentence X }'))
    table = dry_run_table(hits, proposals)
    assert table["after"] == ["form ., and the next sentence after its own"] * 3
    assert table["accept"] == [False, True, False]
    assert "begins another document" in table["refusal"][0] and "the last one" in table["refusal"][2]
    result = rewrite(treebank, proposals)
    assert words(result) == ["Al llarg d el moll .", "Torno al moll . Plou ."]
    assert changes_words_alone(proposals, None)
    moved = parse_request("pattern { X [upos=PUNCT] } commands { split_sentence X; merge_sentence X }")
    assert not changes_words_alone(propose(treebank, moved)[1], None)  # another text is made


def test_very_many_splits_make_a_new_text(monkeypatch):
    treebank = read_conllu(THREE.encode())
    proposals = propose(treebank, parse_request("pattern { X [form=moll] } commands { split_sentence X }"))[1]
    assert len(proposals) == 2 and changes_words_alone(proposals, None)
    monkeypatch.setattr("core.workspace.corpus.rewriting.MOST_SENTENCES", 1)
    assert changes_words_alone(proposals, {0}) and not changes_words_alone(proposals, None)
