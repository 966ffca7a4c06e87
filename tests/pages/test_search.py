"""Search on the Corpus page: a request answers at once, errors name their place, a rewriting is one undoable step."""

import csv
import io

import numpy as np
import pytest

from core.constraints.baselines import attach_left
from core.errors import WorkbenchError
from core.search import parse_request, propose, search
from core.treebank import conllu_text, load_sample, read_treebank
from core.workspace import add_corpus
from core.workspace.corpus.rewriting import accepted, carry_out, dry_run_table
from core.workspace.corpus.search import STARTERS, SUBJECTS, counted, draw_hit, hits_conllu, hits_csv, save_request
from core.workspace.groups import group_mask, groups
from core.workspace.parses import add_parse

RENAME = 'pattern { e: N -[nmod:poss]-> P }\ncommands { e.label = "det:poss" }'


def said(app):
    return " ".join(str(element.value) for element in (*app.markdown, *app.caption))


def test_the_first_request_answers_with_no_control_touched(open_page):
    app = open_page(state={"corpus_view": "search"})
    found = search(load_sample(), parse_request(SUBJECTS))
    assert f"**{len(found):,}** hits" in said(app)
    assert [component.key for component in app.get("bidi_component")].count("search_tree") == 1
    assert app.multiselect[0].value == ["S.upos", "e.length"]


def test_the_trees_of_a_parse_are_searched(open_page, workbench, sample):
    save_request(workbench.store, sample, "pattern { e: H -> M; H << M }")
    app = open_page(state={"corpus_view": "search", "search_trees": "left"})
    found = search(attach_left(load_sample()), parse_request("pattern { e: H -> M; H << M }"))
    assert f"**{len(found):,}** hits in **{len(np.unique(found.sentences)):,}** of 332 sentences" in said(app)
    assert "These arcs have no relations" in said(app)
    assert "Subjects of verbs" not in app.get_by_key("search_start").options
    app.selectbox(key="search_group_word").select("M")
    app.text_input(key="search_group_name").input("leftward")
    app.button(key="search_group_keep").click().run()
    (group,) = groups(workbench.store, sample)  # a request would be searched anew in the text's own trees
    assert np.flatnonzero(group_mask(workbench.treebank(sample), group)).tolist() == sorted(set(found.column("M")))
    app.selectbox(key="search_trees").select("right").run()
    assert "No sentence matches" in app.info[0].value


def test_a_text_without_trees_is_searched_in_those_of_its_newest_run(open_page, workbench, sample):
    own = workbench.treebank(sample)
    data = conllu_text(own.with_heads(np.full(len(own.heads), -1))).encode()
    bare, _ = add_corpus(workbench.store, sample.project, "bare.conllu", data)
    add_parse(workbench, workbench.store.corpus(bare), "mine.conllu", conllu_text(own).encode())
    app = open_page(state={"corpus_view": "search"}, corpus="bare.conllu")
    assert f"**{len(search(own, parse_request(SUBJECTS))):,}** hits" in said(app)


def test_a_starter_asks_and_undo_asks_as_before(open_page, workbench, sample):
    app = open_page(state={"corpus_view": "search"})
    before = said(app)
    app.get_by_key("search_start").set_value("Two adjectives of a noun").run()
    text, keys = STARTERS["Two adjectives of a noun"]
    found = search(load_sample(), parse_request(text))
    assert f"**{len(found):,}** hits" in said(app)
    assert app.multiselect[0].value == list(keys)
    app.button(key="shared_undo").click().run()
    assert not app.exception
    assert workbench.store.document(sample.project, "search", str(sample.id)) is None
    assert before.split(" sentences")[0] in said(app)


def test_an_error_names_line_and_column_and_the_last_hits_stay(open_page, workbench, sample):
    app = open_page(state={"corpus_view": "search"})
    save_request(workbench.store, sample, "pattern {\n  V [upos=VERB;\n}")
    app.run()
    assert not app.exception
    assert "line 2, column" in said(app)
    assert "hits in" in said(app)


def test_every_count_is_of_its_hits_and_files_hold_them():
    hits = search(load_sample(), parse_request(SUBJECTS))
    found, table = counted(hits, ["S.upos", "e.length"])
    assert sum(table["hits"]) == len(hits)
    some = found[0]
    rows = list(csv.DictReader(io.StringIO(hits_csv(hits, some.hits))))
    assert len(rows) == some.count
    assert {row["S.upos"] for row in rows} == {some.values[0]}
    again = read_treebank(hits_conllu(hits, some.hits).encode(), format="conllu")
    assert len(again) == len(set(hits.sentences[some.hits].tolist()))


def test_the_words_of_a_hit_are_marked():
    hits = search(load_sample(), parse_request(SUBJECTS))
    drawing, words = draw_hit(hits, 0), hits.words(0)
    assert {span.label: span.start for span in drawing.spans} == words
    assert [(arc.head, arc.modifier) for arc in drawing.arcs if arc.kind == "gold"] == [(words["V"], words["S"])]


def test_a_rewriting_makes_one_new_text_that_undo_takes_away(workbench, sample):
    treebank = workbench.treebank(sample)
    hits, proposals = propose(treebank, parse_request(RENAME))
    left_out = {proposals[0].hit}
    table = dry_run_table(hits, proposals, left_out)
    assert table["accept"][0] is False
    assert (table["before"][1], table["after"][1]) == ("relation nmod:poss", "relation det:poss")
    done = carry_out(workbench, sample, treebank, proposals, accepted(proposals, left_out))
    assert done.done == len(proposals) - 1
    made = workbench.treebank(workbench.store.corpus(done.corpus))
    assert int(made.deprel.mask(lambda value: value == "det:poss").sum()) == done.done
    assert int(made.deprel.mask(lambda value: value == "nmod:poss").sum()) == 1
    workbench.store.undo(sample.project)
    assert [corpus.id for corpus in workbench.store.corpora(sample.project)] == [sample.id]


def test_a_rewriting_that_would_break_trees_keeps_nothing(workbench, sample):
    treebank = workbench.treebank(sample)
    _, proposals = propose(treebank, parse_request("pattern { e: V -[nsubj]-> S } commands { del_edge e }"))
    with pytest.raises(WorkbenchError, match="would have no head"):
        carry_out(workbench, sample, treebank, proposals, None)
    assert len(workbench.store.corpora(sample.project)) == 1


def test_the_page_rewrites_and_opens_the_new_text(open_page, workbench, sample):
    save_request(workbench.store, sample, RENAME)
    app = open_page(state={"corpus_view": "search", "search_view": "rewrite"})
    button = app.button(key="search_rewrite")
    assert button.label.startswith("Rewrite ")
    button.click().run()
    assert not app.exception
    assert app.session_state["corpus_id"] == workbench.store.corpora(sample.project)[-1].id
    assert workbench.store.next_undo(sample.project).label == "adding sample rewritten 1.conllu"


def test_what_was_found_is_saved_as_a_group(open_page, workbench, sample):
    app = open_page(state={"corpus_view": "search"})
    app.selectbox(key="search_group_word").select("S")
    app.text_input(key="search_group_name").input("subjects")
    app.button(key="search_group_keep").click().run()
    assert not app.exception
    (group,) = groups(workbench.store, sample)
    assert group.name == "subjects" and group.definition["word"] == "S"
    treebank = workbench.treebank(sample)
    subjects = treebank.deprel.mask(lambda value: value == "nsubj") & treebank_heads_are_verbs(treebank)
    assert (group_mask(treebank, group) == subjects).all()
    app.button(key="search_group_keep").click().run()
    assert any("there is a group subjects" in toast.value for toast in app.toast)


def treebank_heads_are_verbs(treebank):
    starts = np.repeat(treebank.offsets[:-1], treebank.lengths + 1)
    return treebank.upos.mask(lambda tag: tag == "VERB")[starts + np.maximum(treebank.heads, 0)]


def test_the_sentences_of_the_browser_are_saved_as_a_group(open_page, workbench, sample):
    app = open_page(state={"corpus_view": "browse"}, find="coffee")
    app.text_input(key="corpus_group_name").input("coffee")
    app.button(key="corpus_group_keep").click().run()
    assert not app.exception
    (group,) = groups(workbench.store, sample)
    assert group.description.endswith("with “coffee”")
