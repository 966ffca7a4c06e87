"""Treebanks made from treebanks: other trees, fewer sentences, no punctuation."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import WorkbenchError
from core.treebank import Column, Treebank, conllu_text, read_conllu, read_conllx
from core.treebank.provenance import predicted_text
from core.treebank.render import treebank_bytes
from tests.oracles import treebank as oracle
from tests.oracles.treebank_texts import conllu_texts, trees

TEXT = """# sent_id = s1
# text = "Don't go," she said.
# markup = a 1-4 | i 1-1 | b 5-7
1\t"\t"\tPUNCT\t``\t_\t4\tpunct\t4:punct\tSpaceAfter=No
2-3\tDon't\t_\t_\t_\t_\t_\t_\t_\t_
2\tDo\tdo\tAUX\tVB\t_\t4\taux\t4:aux\t_
3\tn't\tnot\tPART\tRB\t_\t4\tadvmod\t4:advmod\t_
4\tgo\tgo\tVERB\tVB\t_\t7\tccomp\t7:ccomp\tGloss=x|SpaceAfter=No
5\t,"\t,"\tPUNCT\t,\t_\t4\tpunct\t4:punct\t_
6\tshe\tshe\tPRON\tPRP\t_\t7\tnsubj\t7:nsubj\t_
6.1\tx\t_\t_\t_\t_\t_\t_\t7:dep\t_
7\tsaid\tsay\tVERB\tVBD\t_\t0\troot\t0:root\tSpaceAfter=No
8\t.\t.\tPUNCT\t.\t_\t7\tpunct\t7:punct\t_

1\t!\t!\tPUNCT\t.\t_\t0\troot\t_\t_

1\tgo\tgo\tVERB\tVB\t_\t0\troot\t0:root\t_

"""
BARE = """# sent_id = s1
# markup = a 1-3 | b 4-5
1-2\tDon't\t_\t_\t_\t_\t_\t_\t_\t_
1\tDo\tdo\tAUX\tVB\t_\t3\taux\t_\t_
2\tn't\tnot\tPART\tRB\t_\t3\tadvmod\t_\t_
3\tgo\tgo\tVERB\tVB\t_\t5\tccomp\t_\tGloss=x
4\tshe\tshe\tPRON\tPRP\t_\t5\tnsubj\t_\t_
5\tsaid\tsay\tVERB\tVBD\t_\t0\troot\t_\t_

1\tgo\tgo\tVERB\tVB\t_\t0\troot\t0:root\t_

"""


def bank(*heads, forms=None, upos=None):
    """A treebank of trees (n + 1 entries each)."""
    return Treebank.from_sentences(
        {
            "forms": forms or [f"w{word}" for word in range(1, len(tree))],
            "heads": tree[1:],
            "upos": upos,
            "deprels": [f"r{word}" for word in range(1, len(tree))],
        }
        for tree in heads
    )


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_without_punctuation_writes_proper_conllu(newline):
    bare = read_conllu(TEXT.replace("\n", newline).encode()).without_punctuation()
    assert treebank_bytes(bare).decode() == BARE.replace("\n", newline)
    assert bare.heads.tolist() == [-1, 3, 3, 5, 5, 0, -1, 0]
    assert bare[0].text == "Don't go she said"
    assert bare[0].misc == ("", "", "", "Gloss=x", "", "")
    assert len(bare) == 2


def test_a_range_left_with_one_word_goes():
    rest = "\t_\t_\t_\t_"
    text = f"1-2\ta.{rest}{rest}\n1\ta{rest}\t0\t_\t_\t_\n2\t.{rest}\t1\t_\t_\t_\n"
    assert conllu_text(read_conllu(text.encode()).without_punctuation()) == f"1\ta{rest}\t0\t_\t_\t_\n"


def test_foreign_markup_comments_are_left_alone():
    text = TEXT.replace("# markup = a 1-4 | i 1-1 | b 5-7", "# markup = bold")
    assert "# markup = bold" in conllu_text(read_conllu(text.encode()).without_punctuation())
    text = TEXT.replace("# markup = a 1-4 | i 1-1 | b 5-7", "# markup = i 1-1")
    assert "markup" not in conllu_text(read_conllu(text.encode()).without_punctuation())


def test_the_first_orphan_of_a_removed_root_takes_its_place_and_relation():
    treebank = bank([-1, 2, 0, 2, 3], upos=["NOUN", "PUNCT", "NOUN", "NOUN"]).without_punctuation()
    assert treebank.heads.tolist() == [-1, 0, 1, 2]
    assert treebank[0].deprels == ("", "r2", "r3", "r4")
    assert read_conllu(treebank_bytes(treebank))[0].deprels == ("", "r2", "r3", "r4")


@given(st.lists(st.integers(1, 2).flatmap(lambda roots: trees(max_words=7, roots=roots)), min_size=1), st.data())
def test_pruning_matches_the_obvious_way(forest, data):
    drops = [data.draw(st.sets(st.integers(1, len(heads) - 1))) for heads in forest]
    treebank = Treebank.from_sentences(
        {
            "forms": ["w"] * (len(heads) - 1),
            "heads": heads[1:],
            "upos": ["PUNCT" if word in drop else "X" for word in range(1, len(heads))],
        }
        for heads, drop in zip(forest, drops, strict=True)
    ).without_punctuation()
    expected = [oracle.pruned(heads, drop) for heads, drop in zip(forest, drops, strict=True)]
    assert [sentence.heads.tolist() for sentence in treebank] == [heads for heads in expected if heads]


@given(conllu_texts())
def test_any_text_without_punctuation_reads_back(drawn):
    bare = read_conllu(drawn[0].encode()).without_punctuation()
    assert not bare.punctuation().any()
    if len(bare):
        again = read_conllu(treebank_bytes(bare))
        assert again.heads.tolist() == bare.heads.tolist()
        for name in ("forms", "deprels", "comments"):
            assert [getattr(sentence, name) for sentence in again] == [getattr(sentence, name) for sentence in bare]


@pytest.mark.parametrize(
    ("words", "tags", "marks"),
    [
        ("a . $", {"upos": "X PUNCT SYM"}, ".#."),
        (". $", {"upos": "X SYM"}, ".."),
        ("a -LRB- $ %", {"xpos": "NN -LRB- $ NN"}, ".##."),
        ("a .", {"upos": "n F", "xpos": "nc Fp"}, ".#"),
        ("a .", {"xpos": "noun punct"}, ".#"),
        ("a . 5 ... é", {}, ".#.#."),
        ("a ! b", {"upos": "NOUN _ PUNCT"}, ".##"),
        ("a !", {"xpos": "NC PUNT"}, ".#"),
        ("five % & and", {"xpos": "CD NN CC CC"}, ".#.."),
        ("5 % rate !", {"xpos": "CD NN NN _"}, "...#"),
    ],
)
def test_punctuation_is_told_by_tags_first(words, tags, marks):
    columns = {name: [None if tag == "_" else tag for tag in row.split()] for name, row in tags.items()}
    found = Treebank.from_sentences([{"forms": words.split(), **columns}]).punctuation()[1:]
    assert "".join(".#"[mark] for mark in found.astype(int)) == marks


def test_a_text_without_punctuation_keeps_its_words():
    tags = ["DT", "NN", "IN", "CD", "NN", "."]
    bare = Treebank.from_sentences([{"forms": ["a", "rate", "of", "5", "%", "."], "xpos": tags}]).without_punctuation()
    assert bare[0].forms[1:] == ("a", "rate", "of", "5", "%")
    assert bare.without_punctuation()[0].forms == bare[0].forms


def test_a_predicate_is_asked_once_of_each_value_that_is_there():
    column, asked = Column.intern(["", "a", "b", "c", "b"]), []

    def ask(value):
        asked.append(value)
        return value > "a"

    assert column.mask(ask).tolist() == [False, False, True, True, True] and asked == ["", "a", "b", "c"]
    asked.clear()
    assert column.take(np.array([4, 0, 2])).mask(ask).tolist() == [True, False, True] and asked == ["", "b"]
    assert column.take(np.zeros(0, int)).mask(ask).tolist() == []


def test_filters_keep_columns_and_order():
    treebank = bank([-1, 0], [-1, 0, 1, 2], [-1, 2, 0])
    short = treebank.max_length(2)
    assert short.lengths.tolist() == [1, 2]
    assert short.heads.tolist() == [-1, 0, -1, 2, 0]
    assert [sentence.forms for sentence in short] == [("", "w1"), ("", "w1", "w2")]
    assert treebank.limit(1).token_count == 1
    assert len(treebank.limit(9)) == 3
    assert treebank.select(np.array([False, True, False])).lengths.tolist() == [3]
    assert treebank.select([2, 0, 2]).heads.tolist() == [-1, 2, 0, -1, 0, -1, 2, 0]
    assert conllu_text(treebank.max_length(0)) == ""
    assert len(treebank.max_length(0).without_punctuation()) == 0
    assert treebank.max_length(0).single_rooted().tolist() == []
    assert treebank.max_length(0).warnings == ()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda t: t.select([1]), "there is no sentence 1; they run from 0 to 0"),
        (lambda t: t.select([-1]), "there is no sentence -1"),
        (lambda t: t.select(np.array([True, False])), "a mask over sentences needs 1 entries, got 2"),
        (lambda t: t.limit(-1), "the limit must be 0 or more sentences, got -1"),
        (lambda t: t.with_heads([-1, 0]), r"heads must have shape \(3,\), .* got \(2,\)"),
        (lambda t: t.with_heads([-1, 0, 1.0]), "heads must be integers, got float64"),
        (lambda t: t.with_heads([-1, 0, 3]), "sentence 1: word 2 has head 3, and the sentence has words 1 to 2 only"),
        (lambda t: t.with_heads([-1, 0, -2]), "sentence 1: word 2 has head -2"),
        (lambda t: t.with_heads([-1, 0, 2]), "sentence 1: word 2 is its own head"),
        (lambda t: t.with_heads([-1, 2, 1]), "sentence 1: no word has head 0; make one the root"),
        (lambda t: t.with_heads([-1, 0, 1], ["root"]), "deprels must have 3 entries, .* got 1"),
        (lambda t: t.with_heads([-1, 0, 1], ["", "a\tb", "c"]), r"the relation 'a\\tb' holds a tab"),
    ],
)
def test_wrong_arguments_are_told(call, message):
    with pytest.raises(WorkbenchError, match=message):
        call(bank([-1, 2, 0]))


def test_cycles_are_told():
    with pytest.raises(WorkbenchError, match="sentence 2: word 2 is part of a cycle; give every word a path to the r"):
        bank([-1, 0], [-1, 0, 1, 1]).with_heads([-1, 0, -1, 0, 3, 2])


def test_other_heads_touch_only_the_words_that_changed():
    treebank = read_conllu(TEXT.encode()).keeping_graphs()
    heads = treebank.heads.copy()
    heads[6] = 4  # "she"
    relations = treebank.deprel.with_values({6: "dep"})
    lines, expected = conllu_text(treebank.with_heads(heads, relations)).split("\n"), TEXT.split("\n")
    expected[9] = "6\tshe\tshe\tPRON\tPRP\t_\t4\tdep\t4:dep\t_"
    assert lines == expected
    assert treebank.with_heads(heads).with_heads(treebank.heads, treebank.deprel).is_untouched
    assert treebank.heads[6] == 7


GRAPH = """# text = I like and she bakes
1	I	I	PRON	_	_	2	nsubj	2:nsubj	_
2	like	like	VERB	_	_	0	root	0:root	_
2.1	it	it	PRON	_	_	_	_	2:obj	_
3	and	and	CCONJ	_	_	5	cc	5:cc	_
4-5	shebakes	_	_	_	_	_	_	_	_
4	she	she	PRON	_	_	5	nsubj	5:nsubj	_
5	bakes	bake	VERB	_	_	2	conj	0:root|2:conj	_

1	a	a	X	_	_	0	root	0:root	_

"""


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize(("word", "head", "relation"), [(4, 2, "nsubj"), (4, 5, "obj")])
def test_enhanced_dependencies_of_a_changed_sentence_go_or_stay(newline, word, head, relation):
    data = GRAPH.replace("\n", newline).encode()
    treebank = read_conllu(data)
    heads, relations = treebank.heads.copy(), [treebank.deprel[row] for row in range(len(treebank.heads))]
    heads[word], relations[word] = head, relation
    changed = treebank.with_heads(heads, relations)
    first, second = conllu_text(changed).replace(newline, "\n").split("\n\n")[:2]
    assert [line.split("\t")[8] for line in first.splitlines()[1:]] == ["_"] * 6  # no empty node among them
    assert first.splitlines()[0] == "# text = I like and she bakes" and second == "1\ta\ta\tX\t_\t_\t0\troot\t0:root\t_"
    assert changed.graphless.tolist() == [True, False] and not treebank.graphless.any()
    bare = conllu_text(treebank.without_graphs()).replace(newline, "\n")
    assert "2.1" not in bare and all(line.split("\t")[8] == "_" for line in bare.splitlines() if "\t" in line)
    kept = treebank.keeping_graphs().with_heads(heads, relations)
    lines, old = treebank_bytes(kept).split(newline.encode()), data.split(newline.encode())
    assert [at for at, line in enumerate(lines) if line != old[at]] == [word + 2] and not kept.graphless.any()
    assert treebank_bytes(changed.with_heads(treebank.heads, treebank.deprel)) == data  # undone


def test_relations_may_be_given_as_strings_or_a_column():
    treebank = read_conllu(TEXT.encode())
    relations = ["x"] * len(treebank.heads)
    labelled = treebank.with_heads(treebank.heads, relations)
    assert labelled[0].deprels == ("", *["x"] * 8)
    assert labelled.deprel.ids[treebank.offsets[:-1]].tolist() == [0, 0, 0]
    assert read_conllu(treebank_bytes(labelled))[0].deprels == labelled[0].deprels
    again = treebank.with_heads(treebank.heads, labelled.deprel)
    assert treebank_bytes(again) == treebank_bytes(labelled)
    bare = treebank.with_heads(treebank.heads, Column.intern([""] * len(relations)))
    assert "\t0\t_\t_\tSpaceAfter=No" in conllu_text(bare)


def test_relations_must_fit_the_encoding():
    treebank = read_conllx(b"1\ta\t_\tn\tn\t_\t0\tx\n", encoding="latin-1")
    with pytest.raises(WorkbenchError, match=r"the relation 'ř' cannot be written in latin-1; rename it"):
        treebank.with_heads([-1, 0], ["", "ř"])
    assert treebank.to_conllu().with_heads([-1, 0], ["", "ř"])[0].deprels == ("", "ř")


def test_trees_that_come_without_relations_have_no_other_trees():
    treebank = read_conllu(TEXT.encode())
    relations = treebank.with_heads(treebank.heads).deprel
    assert {relations[row] for row in np.flatnonzero(treebank.heads > 0)} == {"dep"}
    assert {relations[row] for row in np.flatnonzero(treebank.heads == 0)} == {"root"}


def test_unknown_heads_are_written_as_blanks():
    treebank = bank([-1, 2, 0])
    unknown = treebank.with_heads(np.full(3, -1))
    assert conllu_text(unknown) == "1\tw1" + "\t_" * 8 + "\n2\tw2" + "\t_" * 8 + "\n\n"
    rooted = unknown.with_heads([-1, 0, 0])
    assert rooted[0].deprels == ("", "root", "root")
    assert rooted.warnings == ("1 of 1 sentences have several roots (first: line 2)",)


def test_edits_follow_each_other():
    treebank = read_conllu(TEXT.encode()).without_punctuation()
    heads = treebank.heads.copy()
    heads[1] = 2
    changed = treebank.with_heads(heads, treebank.deprel.with_values({1: "dep"})).select([1, 0])
    assert changed[1].heads.tolist() == [-1, 2, 3, 5, 5, 0]
    again = read_conllu(treebank_bytes(changed))
    assert again.heads.tolist() == changed.heads.tolist()
    assert again[1].deprels == ("", "dep", "advmod", "ccomp", "nsubj", "root")
    edited = read_conllu(TEXT.encode())
    heads = edited.heads.copy()
    heads[6] = 4
    assert edited.with_heads(heads).without_punctuation()[0].heads.tolist() == [-1, 3, 3, 5, 3, 0]


def test_projective_columns_go_stale_in_conllx():
    text = "1\ta\t_\tn\tn\t_\t2\tx\t2\tx\r\n2\tb\t_\tn\tn\t_\t0\tx\t0\tx"
    changed = read_conllx(text.encode()).with_heads([-1, 0, 1])
    assert conllu_text(changed) == "1\ta\t_\tn\tn\t_\t0\troot\t_\t_\r\n2\tb\t_\tn\tn\t_\t1\tdep\t_\t_"
    short = read_conllx(b"1\ta\t_\tn\tn\t_\t2\tx\r\n2\tb\t_\tn\tn\t_\t0\tx\r\n")
    assert short[0].deprels == ("", "x", "x")
    assert conllu_text(short.with_heads([-1, 0, 1])) == "1\ta\t_\tn\tn\t_\t0\troot\r\n2\tb\t_\tn\tn\t_\t1\tdep\r\n"


def test_a_treebank_may_be_made_of_lists():
    columns = {"forms": "a b", "lemmas": "A _", "upos": "X Y", "xpos": "x y", "feats": "F=1 _", "deprels": "root dep"}
    sentence = {name: [None if value == "_" else value for value in row.split()] for name, row in columns.items()}
    sentence |= {"heads": [0, 1], "misc": [None, "SpaceAfter=No"], "comments": ["note", "# text = ab"], "sent_id": "s"}
    treebank = Treebank.from_sentences([sentence, {"forms": ["c"], "heads": [None]}], name="made")
    assert treebank.name == "made"
    assert conllu_text(treebank).startswith("# sent_id = s\n# note\n# text = ab\n1\ta\tA\tX\tx\tF=1\t0\troot\t_\t_\n")
    assert treebank[0].as_dict()["heads"] == [0, 1]
    assert treebank.heads.tolist() == [-1, 0, 1, -1, -1]
    assert len(Treebank.from_sentences([])) == 0
    assert Treebank.from_sentences(s.as_dict() for s in treebank).content_hash == treebank.content_hash


def test_views_describe_themselves():
    treebank = bank([-1, 0])
    assert repr(treebank) == "<Treebank '': 1 sentences, 1 words>"
    assert repr(treebank[0]) == "<Sentence 0: w1>"


ELLIPSIS = """# sent_id = e1
# text = Sue eats figs, Bob plums
1	Sue	Sue	PROPN	_	_	2	nsubj	2:nsubj	_
2	eats	eat	VERB	_	_	0	root	0:root	_
3	figs	fig	NOUN	_	_	2	obj	2:obj	SpaceAfter=No
4	,	,	PUNCT	_	_	5	punct	5:punct	_
5	Bob	Bob	PROPN	_	_	2	conj	5.1:nsubj	_
5.1	eats	eat	VERB	_	_	_	_	2:conj:and	_
6	plums	plum	NOUN	_	_	5	orphan	5.1:obj	_

# sent_id = e2
# text = zum Fluss
1-2	zum	_	_	_	_	_	_	_	_
1	zu	zu	ADP	_	_	3	case	3:case	_
2	dem	der	DET	_	_	3	det	3:det	_
2.1	E	e	PRON	_	_	_	_	3:nmod	_
3	Fluss	Fluss	NOUN	_	_	0	root	0:root	_

"""


def test_graphs_of_changed_sentences_go_in_every_piece_of_a_text():
    whole = read_conllu(ELLIPSIS.encode())
    heads = whole.heads.copy()
    heads[4] = 2  # the comma of the first sentence alone
    changed = whole.with_heads(heads, whole.deprel)
    pieces = {
        "file": conllu_text(changed),
        "sentences": "".join("\n".join([*sentence.lines, "", ""]) for sentence in changed),
        "chosen": "".join(conllu_text(changed.select([index])) for index in (0, 1)),
        "predicted": predicted_text(changed, "me").replace("# tree = predicted by me\n", ""),
        "unchanged ones": conllu_text(changed.select([0])) + conllu_text(changed.select([1]).max_length(3)),
    }
    assert len(set(pieces.values())) == 1
    assert not any("5.1\t" in text for text in pieces.values())
    assert all("2.1\t" in text and "3:case" in text for text in pieces.values())
    bare = changed.without_graphs()
    assert (bare.heads == changed.heads).all() and bare.deprel.strings().tolist() == changed.deprel.strings().tolist()
    for piece in (bare, bare.select([1]), whole.select([1]).without_graphs()):
        assert not any(graph in conllu_text(piece) for graph in ("5.1\t", "2.1\t", "3:case"))
    kept = changed.keeping_graphs()
    assert conllu_text(kept) == ELLIPSIS.replace("\t5\tpunct\t5", "\t2\tpunct\t2")
    assert conllu_text(kept.select([1])) == ELLIPSIS[ELLIPSIS.index("# sent_id = e2") :]


def test_graphs_are_back_where_a_change_is_undone():
    whole = read_conllu(ELLIPSIS.encode())
    heads = whole.heads.copy()
    heads[4] = 2
    changed = whole.with_heads(heads, whole.deprel)
    assert changed.graphless.any() and conllu_text(changed) != ELLIPSIS
    assert conllu_text(changed.with_heads(whole.heads, whole.deprel)) == ELLIPSIS
    assert conllu_text(whole.select([1])) == ELLIPSIS[ELLIPSIS.index("# sent_id = e2") :]
