"""Enhanced graphs drawn: the tree above, what differs from it below, empty nodes behind the last word."""

from core.draw import draw_graph, draw_tree
from core.treebank import read_conllu

TEXT = """1	I	I	PRON	_	_	2	nsubj	2:nsubj	_
2	do	do	VERB	_	_	0	root	0:root	_
2.1	it	it	PRON	_	_	_	_	2:obj	_
3	so	so	ADV	_	_	2	advmod	2.1:dep|2:advmod	_

1	I	I	PRON	_	_	2	nsubj	_	_
2	do	do	VERB	_	_	0	root	_	_

"""


def test_a_graph_is_drawn_below_its_tree():
    first, second = read_conllu(TEXT.encode())
    drawing = draw_graph(first)
    assert drawing.words == ("", "I", "do", "so", "[2.1 it]") and drawing.tags[4] == "PRON" and drawing.last == 3
    below = [(arc.head, arc.modifier, arc.label, arc.kind) for arc in drawing.arcs if arc.below]
    assert below == [(2, 4, "obj", "third"), (4, 3, "dep", "third")]
    assert [arc for arc in drawing.arcs if not arc.below] == list(draw_tree(first).arcs)
    assert drawing.legend == (("gold", "", "tree, above"), ("third", "", "enhanced, below"))
    assert draw_graph(second) == draw_tree(second)
