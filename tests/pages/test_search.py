"""Search on the Corpus page: a request answers at once, errors name their place, a rewriting is one undoable step."""

import csv
import io

import numpy as np
import pytest

from core.annotation import attach
from core.constraints.ge.baselines import attach_left
from core.errors import WorkbenchError
from core.search import parse_request, propose, search
from core.treebank import conllu_text, load_sample, read_conllu, read_treebank
from core.workspace.annotations import Annotations
from core.workspace.corpus.rewriting import accepted, carry_out, dry_run_table
from core.workspace.corpus.search import (
    STARTERS,
    SUBJECTS,
    counted,
    draw_hit,
    hit_places,
    hits_conllu,
    hits_csv,
    save_request,
)
from core.workspace.groups import group_mask, groups
from core.workspace.parses import add_parse
from core.workspace.wording import escape
from tests.pages.reading import keep_group, keys, pressed, said

RENAME = 'pattern { e: N -[nmod:poss]-> P }\ncommands { e.label = "det:poss" }'
SEARCH = {"corpus_view": "search"}


@pytest.fixture
def own(workbench, sample):
    return workbench.treebank(sample)


@pytest.fixture
def ask(workbench, sample):
    """ask(request) -> nothing; it is the one that the page answers then."""
    return lambda request: save_request(workbench.store, sample, request)


@pytest.fixture
def kept(workbench, sample):
    """kept(app, key, name) -> the one group there is after what the page lists was saved as one."""

    def kept(app, key, name):
        keep_group(app, key, name)
        (group,) = groups(workbench.store, sample)
        return group

    return kept


def words_of(app):
    return said((*app.markdown, *app.caption))


def test_the_first_request_answers_and_a_starter_asks_and_is_undone(open_page, workbench, sample, own, kept):
    app = open_page(state=SEARCH)
    before = f"**{len(search(own, parse_request(SUBJECTS))):,}** hits"
    assert before in words_of(app) and app.multiselect[0].value == ["S.upos", "e.length"]
    assert keys(app.get("bidi_component")).count("search_tree") == 1
    app.get_by_key("search_start").set_value("Two adjectives of a noun").run()
    text, columns = STARTERS["Two adjectives of a noun"]
    assert f"**{len(search(own, parse_request(text))):,}** hits" in words_of(app)
    assert app.multiselect[0].value == list(columns)
    assert before in words_of(pressed(app, "shared_undo"))
    assert workbench.store.document(sample.project, "search", str(sample.id)) is None
    app.selectbox(key="search_group_word").select("S")
    group = kept(app, "search_group", "subjects")
    assert (group.name, group.definition["word"]) == ("subjects", "S")
    starts = np.repeat(own.offsets[:-1], own.lengths + 1)
    of_verbs = own.upos.mask(lambda tag: tag == "VERB")[starts + np.maximum(own.heads, 0)]
    assert (group_mask(own, group) == (own.deprel.mask(lambda value: value == "nsubj") & of_verbs)).all()
    assert "There is a group subjects" in said(pressed(app, "search_group_keep").toast)


def test_what_a_relation_passes_over_is_said_and_taken_in_by_a_button(open_page, ask, own):
    ask("e: X -[nmod]-> Y")
    app = open_page(state=SEARCH)
    passed = own.deprel.mask(lambda name: name.startswith("nmod:")) & own.is_word
    named = own.deprel.mask(lambda name: name == "nmod:poss").sum()
    assert f"Relations match as written; besides, the text has {named:,} {escape('nmod:poss')}" in said(app.caption)
    pressed(app, "search_subtypes")
    plain = own.deprel.mask(lambda name: name == "nmod").sum()
    assert f"**{plain + passed.sum():,}** hits" in words_of(app)
    assert "search_subtypes" not in keys(app.button) and "match as written" not in said(app.caption)
    assert f"**{plain:,}** hits" in words_of(pressed(app, "shared_undo"))


def test_the_trees_of_a_parse_are_searched(open_page, own, ask, kept):
    ask("pattern { e: H -> M; H << M }")
    app = open_page(state=SEARCH | {"search_trees": "left"})
    found = search(attach_left(load_sample()), parse_request("pattern { e: H -> M; H << M }"))
    assert f"**{len(found):,}** hits in **{len(np.unique(found.sentences)):,}** of 332 sentences" in words_of(app)
    assert "These arcs have no relations" in words_of(app)
    assert "Subjects of verbs" not in app.get_by_key("search_start").options
    app.selectbox(key="search_group_word").select("M")
    group = kept(app, "search_group", "leftward")  # a request would be searched anew in the text's own trees
    assert np.flatnonzero(group_mask(own, group)).tolist() == sorted(set(found.column("M")))
    assert "No sentence matches" in app.selectbox(key="search_trees").select("right").run().info[0].value


def test_a_text_without_trees_is_searched_in_those_of_its_newest_run(open_page, workbench, own, add):
    bare = add("bare.conllu", own.with_heads(np.full(len(own.heads), -1)))
    add_parse(workbench, bare, "mine.conllu", conllu_text(own).encode())
    app = open_page(state=SEARCH, corpus="bare.conllu")
    assert f"**{len(search(own, parse_request(SUBJECTS))):,}** hits" in words_of(app)


def test_an_error_names_line_and_column_and_the_last_hits_stay(open_page, ask):
    app = open_page(state=SEARCH)
    ask("pattern {\n  V [upos=VERB;\n}")
    assert "line 2, column" in words_of(app.run()) and "hits in" in words_of(app)


def test_every_count_is_of_its_hits_files_hold_them_and_their_words_are_marked():
    hits = search(load_sample(), parse_request(SUBJECTS))
    found, table = counted(hits, ["S.upos", "e.length"])
    some = found[0]
    rows = list(csv.DictReader(io.StringIO(hits_csv(hits, some.hits))))
    assert sum(table["hits"]) == len(hits) and len(rows) == some.count
    assert {row["S.upos"] for row in rows} == {some.values[0]}
    again = read_treebank(hits_conllu(hits, some.hits).encode(), format="conllu")
    assert len(again) == len(set(hits.sentences[some.hits].tolist()))
    drawing, words = draw_hit(hits, 0), hits.words(0)
    assert {span.label: span.start for span in drawing.spans} == words
    assert [(arc.head, arc.modifier) for arc in drawing.arcs if arc.kind == "gold"] == [(words["V"], words["S"])]


def test_an_enhanced_arc_that_was_asked_for_is_drawn_and_opens_its_word():
    rows = ("She PRON 2 nsubj 2:nsubj|4:nsubj:xsubj", "wants VERB 0 root 0:root", "to PART 4 mark 4:mark",
            "sing VERB 2 xcomp 2:xcomp")  # fmt: skip
    lines = (f"{number} {row}".split() for number, row in enumerate(rows, start=1))
    text = "".join(f"{n}\t{form}\t_\t{tag}\t_\t_\t{at}\t{of}\t{deps}\t_\n" for n, form, tag, at, of, deps in lines)
    hits = search(read_conllu(f"{text}\n".encode()), parse_request("V -[E:nsubj:xsubj]-> S"))
    asked = [(arc.head, arc.modifier, arc.label) for arc in draw_hit(hits, 0).arcs if arc.kind == "gold"]
    assert asked == [(4, 1, "nsubj:xsubj")] and hit_places(hits, [0]) == [(0, 1)]


def test_a_rewriting_makes_one_new_text_that_undo_takes_away(workbench, sample, own):
    hits, proposals = propose(own, parse_request(RENAME))
    left_out = {proposals[0].hit}
    table = dry_run_table(hits, proposals, left_out)
    assert table["accept"][0] is False
    assert (table["before"][1], table["after"][1]) == ("relation nmod:poss", "relation det:poss")
    done = carry_out(workbench, sample, own, proposals, accepted(proposals, left_out))
    made = workbench.treebank(workbench.store.corpus(done.corpus))
    counts = [int(made.deprel.mask(lambda value, name=name: value == name).sum()) for name in ("det:poss", "nmod:poss")]
    assert counts == [done.done, 1] and done.done == len(proposals) - 1
    workbench.store.undo(sample.project)
    _, proposals = propose(own, parse_request("pattern { e: V -[nsubj]-> S } commands { del_edge e }"))
    with pytest.raises(WorkbenchError, match="would have no head"):  # and nothing is kept
        carry_out(workbench, sample, own, proposals, None)
    assert [corpus.id for corpus in workbench.store.corpora(sample.project)] == [sample.id]


def test_a_request_of_words_alone_changes_this_text_and_undo_takes_it_back(open_page, workbench, sample, ask):
    ask('pattern { X [form="everyone"] } commands { split X "every" "one" }')
    hits = int((workbench.source(sample).form.strings() == "everyone").sum())
    app = open_page(state=SEARCH | {"search_view": "rewrite"})
    assert any("in this text, for everybody" in each.value for each in app.caption)
    pressed(app, "search_rewrite")
    assert workbench.store.next_undo(sample.project).label == f"changing the words of {hits} hits"
    assert not (workbench.source(sample).form.strings() == "everyone").any()
    assert [corpus.id for corpus in workbench.store.corpora(sample.project)] == [sample.id]
    workbench.store.undo(sample.project)
    assert int((workbench.source(sample).form.strings() == "everyone").sum()) == hits > 1


def test_the_page_rewrites_and_opens_the_new_text(open_page, workbench, sample, ask):
    ask(RENAME)
    app = open_page(state=SEARCH | {"search_view": "rewrite"})
    assert app.button(key="search_rewrite").label.startswith("Rewrite ")
    pressed(app, "search_rewrite")
    assert app.session_state["corpus_id"] == workbench.store.corpora(sample.project)[-1].id
    assert workbench.store.next_undo(sample.project).label == "adding sample rewritten 1.conllu"
    assert "This text is the rewritten one" in app.success[0].value and not app.info


def test_the_texts_own_trees_are_searched_once_some_are_corrected(open_page, workbench, own, add):
    corpus = add("bare.conllu", own.limit(9).with_heads(np.full(len(own.limit(9).heads), -1)))
    add_parse(workbench, corpus, "left.conllu", conllu_text(attach_left(own.limit(9))).encode())

    def searched():
        return open_page(corpus="bare.conllu", state=SEARCH).selectbox(key="search_trees").value

    assert searched().startswith("corpus-")
    version = Annotations(workbench, corpus)
    annotation, was = version.get(0)
    version.write(0, attach(annotation, 1, 2, "det"), was, "step", "attaching")
    assert searched() == "own"


def test_the_sentences_of_the_browser_are_saved_as_a_group(open_page, kept):
    app = open_page(state={"corpus_view": "browse"}, find="coffee")
    assert kept(app, "corpus_group", "coffee").description.endswith("with “coffee”")


def test_a_request_that_merges_sentences_changes_this_text_in_one_step(open_page, workbench, sample, ask):
    ask("pattern { X [form=everyone] } commands { merge_sentence X }")
    count = len(workbench.source(sample))
    app = open_page(state=SEARCH | {"search_view": "rewrite"})
    assert any("in this text, for everybody" in each.value for each in app.caption)
    pressed(app, "search_rewrite")
    label = workbench.store.next_undo(sample.project).label
    assert label.startswith("merging ") and len(workbench.source(sample)) < count
    assert len(workbench.store.corpora(sample.project)) == 1
