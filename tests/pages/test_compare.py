"""The Compare page: parses side by side with no control touched, every number opens its words, bad files say why."""

import random
import re

import numpy as np
import pytest

from core.annotation import attach
from core.constraints.ge.baselines import attach_left, attach_right
from core.errors import WorkbenchError
from core.evaluation import attachment_scores
from core.parsers import MSTParser
from core.parsers.weights import file_bytes
from core.treebank import conllu_text, load_sample
from core.trees.packed import PackedScores
from core.workspace.annotations import Annotations
from core.workspace.compare import side_by_side as beside
from core.workspace.compare import tables
from core.workspace.compare.filters import WordFilter
from core.workspace.compare.scoring import denominators, score_rows, score_table
from core.workspace.constraints.inputs import KIND, ConstraintOutcome
from core.workspace.corpus import drafts
from core.workspace.groups import by_lengths, groups, save_group
from core.workspace.induction.outcome import restore_indices
from core.workspace.parse import Parse
from core.workspace.parses import add_parse, offered_parses
from core.workspace.registry import Systems
from pages.shared.widgets import choose_from
from tests.evaluation.recut import recut
from tests.pages.reading import keys, pressed, said, table, waited_for


@pytest.fixture
def compared(workbench, sample):
    """compared(**settings) -> the SideBySide of all parses that there are."""
    return lambda **settings: beside.side_by_side(
        Systems(workbench), sample, offered_parses(Systems(workbench), sample)[:4], **settings
    )


@pytest.fixture
def own(workbench, sample):
    return workbench.treebank(sample)


@pytest.fixture
def parse(workbench, sample, own):
    """parse(heads, name="mine.conllu") -> the key of the parse added with these heads and the text's relations."""
    return lambda heads, name="mine.conllu": add_parse(
        workbench, sample, name, conllu_text(own.with_heads(heads, own.deprel)).encode()
    )


def fiftieth_unattached(own):
    return np.where(np.arange(len(own.heads)) % 50 == 7, -1, own.heads)


def test_baselines_are_judged_with_no_control_touched(open_page):
    app = open_page("compare")
    right, scores = attachment_scores(load_sample(), attach_right(load_sample())), table(app, "UAS")
    assert scores["UAS"].iloc[1].endswith(f" · {right.heads:,}")
    assert f"UAS of {right.words:,} words" in said((*app.markdown, *app.caption))
    assert "LAS" not in scores.columns  # baselines have no relations
    assert re.search(r"attach right is .* 95% interval .* unlikely to be chance", said(app.markdown))
    assert table(app, "error").iloc[0, 0].startswith("NOUN attached to")
    assert "cmp_tree" in keys(app.get("bidi_component"))
    for view in ("matrix", "accuracy", "more"):
        assert not app.get_by_key("cmp_table").set_value(view).run().error
    for kind in ("constraint", "bracket"):
        assert not app.get_by_key("cmp_more").set_value(kind).run().error
    for rules in ("conll2006", "conll2018"):
        app = open_page("compare", state={"cmp_rules": rules, "cmp_open": ("score", rules, "attach right", "UAS")})
        assert "Words that attach right gets wrong, UAS by the rules of CoNLL" in said(app.markdown) and not app.error


def test_words_that_are_corrected_stay_in_the_list_that_is_gone_through(open_page, workbench, sample, compared):
    opening, parses = ("kind", "tag", "DET", "attach right"), compared()
    rows, title = tables.opened_rows(parses, opening)
    at = np.searchsorted(parses.comparison.text.offsets, rows, side="right") - 1
    places = tuple(zip(at.tolist(), (rows - parses.comparison.text.offsets[at]).tolist(), strict=True))
    source = opening, tuple(parses.names), parses.reference, WordFilter()
    state = {"cmp_open": opening, "cmp_listed": (source, title, places)}
    assert table(open_page("compare", state=state), "word")["done"].tolist().count("✓") == 0
    version, (index, word) = Annotations(workbench, sample), places[0]
    annotation, was = version.get(index)
    head = int(parses.comparison.systems["attach right"][index].heads[word])
    version.write(index, attach(annotation, word, head, "det"), was, "step", "attaching")
    version.set_status(index, "done")
    app = open_page("compare", state=state)
    listed = table(app, "word")
    assert listed["done"].iloc[0] == "✓" and listed["sentence"].iloc[0] == index + 1
    assert f"{len(rows)} words in" in said(app.caption) and "corrected since" in said(app.caption)
    fresh = open_page("compare", state={"cmp_open": opening})
    assert "corrected since" not in said(fresh.caption)


def test_without_own_trees_parses_are_compared_with_each_other(open_page, add):
    app = open_page("compare", cmp_gold="false")  # of a link of old
    assert app.session_state["cmp_against"] == "each"
    assert "choose different heads for" in said((*app.markdown, *app.caption))
    assert not any("UAS" in frame.value.columns for frame in app.dataframe)
    add("bare.conllu", load_sample().limit(1).with_heads(np.full(len(load_sample().limit(1).heads), -1)))
    app = open_page("compare", corpus="bare.conllu")
    assert "choose different heads for" in said((*app.markdown, *app.caption)) and not app.error


def test_parses_are_scored_against_one_of_them(open_page, own, add):
    add("bare.conllu", own.with_heads(np.full(len(own.heads), -1)))
    app = open_page("compare", corpus="bare.conllu", state={"cmp_against": "right", "cmp_punctuation": True})
    same = int((attach_left(own).heads == attach_right(own).heads)[own.heads >= 0].sum())
    assert table(app, "UAS")["parse"].tolist() == ["attach left"]
    assert table(app, "UAS")["UAS"][0].endswith(f" · {same:,}")
    assert "Compared with attach right" in said(app.caption)
    app.get_by_key("cmp_table").set_value("matrix").run()
    assert "in attach right. Columns: in attach left." in said((*app.markdown, *app.caption)) and not app.error


def test_what_a_number_says_follows_what_parses_are_scored_against(workbench, sample, own):
    offers = offered_parses(Systems(workbench), sample)
    found = beside.side_by_side(Systems(workbench), sample, offers, against="right")
    assert (found.reference, found.names) == ("attach right", ["attach left"])
    assert tables.trees_to_draw(found) == ["attach right", "attach left", beside.OWN]
    rows, title = tables.opened_rows(found, ("kind", "tag", "DET", "attach left"))
    assert title == "Words of the tag DET that attach left attaches otherwise than attach right"
    assert (attach_left(own).heads[rows] != attach_right(own).heads[rows]).all()
    with pytest.raises(WorkbenchError, match="choose a second parse to score against attach right"):
        beside.side_by_side(Systems(workbench), sample, offers[-1:], against="right")


def test_filters_stand_in_the_address_and_may_leave_nothing(open_page):
    app = open_page("compare", cmp_filter='[["tag","ADP"],["distance","1","2"],["right","attach right"]]')
    assert "tag ADP · distance 1 or 2 · right in attach right" in said(app.markdown)
    assert set(table(app, "error")["error"].str.split().str[0]) == {"ADP"}
    app.session_state["cmp_filter_open"] = True
    app.run().get_by_key("cmp_filter_wrong").set_value("attach right").run()
    assert "No word passes these filters" in said(app.info) and not app.error
    pressed(app, "cmp_filter_clear")
    assert "cmp_filter" not in app.query_params and len(table(app, "error")) > 20


def test_links_of_former_times_open_the_view_that_they_mean(open_page):
    app = open_page("compare", cmp_table="Length")
    assert (app.session_state["cmp_table"], app.session_state["cmp_by"]) == ("accuracy", "sentence length")
    app.get_by_key("cmp_as_table").set_value(True).run()
    assert "1-5 words" in table(app, "kind")["kind"].tolist()
    assert open_page("compare", cmp_table="Mark-up").session_state["cmp_more"] == "bracket"


def test_relations_count_in_tables_and_charts_where_parses_have_some(open_page, own, parse):
    parse(attach_right(own).heads)
    state = {"cmp_table": "accuracy", "cmp_by": "relation"}
    app = open_page("compare", state=state)
    for measure, column in (("LAS", "mine.conllu"), ("F1", "F1 · mine.conllu")):
        app.get_by_key("cmp_measure").set_value(measure).run()
        app.get_by_key("cmp_as_table").set_value(True).run()
        shown = table(app, "kind")
        assert column in shown.columns and not app.error
        assert "Click a percentage" in said(app.caption)
        app.get_by_key("cmp_as_table").set_value(False).run()
    parse(attach_left(own).heads, "other.conllu")
    app = open_page("compare", state=state | {"cmp_measure": "F1"})
    assert "Differences of words with the right head and relation" in said(app.caption)
    assert table(app, "adjusted")["words"].iloc[0] == max(table(app, "adjusted")["words"])
    app.get_by_key("cmp_by").set_value("distance").run()  # F1 is of relations only
    assert app.get_by_key("cmp_measure").value == "UAS" and not app.error


def test_differences_are_tested_in_filtered_words_and_in_groups(open_page, workbench, sample):
    app = open_page("compare", cmp_filter='[["tag","ADP"]]')
    assert "1 comparison: exact sign tests" in said(app.caption) and len(table(app, "adjusted")) == 1
    chosen = open_page("compare", cmp_filter='[["wrong","attach left"]]')
    assert "differences between parses are not tested" in said(chosen.caption)
    save_group(workbench, sample, "short", by_lengths(1, 10))
    app = open_page("compare", state={"cmp_table": "more"})
    assert table(app, "adjusted")["kind"].tolist() == ["short"]
    app.session_state["cmp_open"] = ("tested", "UAS", "group", "short", "attach left", "attach right")
    assert "Words of short that only attach left or only attach right has right" in said(app.run().markdown)


def test_an_added_file_is_removed_where_it_was_added(open_page, workbench, sample, parse, own):
    parse(attach_right(own).heads)
    app = open_page("compare")
    assert app.selectbox(key="corpus").options == [sample.name]
    assert "mine.conllu" in table(app, "UAS")["parse"].tolist()
    pressed(app, "cmp_remove")
    assert "mine.conllu" not in table(app, "UAS")["parse"].tolist() and not app.error
    assert len(workbench.store.corpora(sample.project)) == 1
    assert "cmp_remove" not in keys(app.button)


def test_what_another_text_had_chosen_is_called_by_a_word():
    # Streamlit writes the former choice out by the names of the text that was open: of None a page would fail
    called = choose_from(lambda label, options, format_func: format_func, "Parses", {"attach left": "to the left"})
    assert (called("attach left"), called("file-7")) == ("to the left", "file-7")


def test_a_file_that_divides_the_text_otherwise_is_added_and_says_what_is_compared(open_page, own):
    app = open_page("compare")
    data = recut(conllu_text(own), random.Random(0)).encode()
    app.file_uploader(key="cmp_upload").upload("mine.conllu", data).run()
    assert "mine.conllu" in table(app, "UAS")["parse"].tolist() and not app.error
    assert re.search(r"mine.conllu divides the text otherwise.* of 6,300 words are in both", said(app.caption))


def test_parses_keep_their_colours_while_the_choice_changes(open_page, own, parse):
    keys_of = [parse(bank.heads, name) for bank, name in ((attach_left(own), "one"), (attach_right(own), "two"))]
    app = open_page("compare", state={"parses": keys_of})
    before = app.session_state["cmp_places"]
    assert before == {"one": 0, "two": 1}
    app.get_by_key("parses").set_value(keys_of[1:]).run()
    app.get_by_key("parses").set_value(["left", keys_of[1]]).run()
    assert app.session_state["cmp_places"]["two"] == 1


def test_a_saved_parser_is_added_on_the_page_or_refused_in_a_sentence(open_page, own):
    app = open_page("compare")
    app.file_uploader(key="cmp_upload").upload("mine.npz", b"no parser").run()
    assert "mine.npz: " in said(app.error) and "model" in said(app.error)
    data = file_bytes(MSTParser(labels=False).fit(own.limit(20)))
    app.file_uploader(key="cmp_upload").upload("mine.npz", data).run()
    assert "mine.npz" in table(app, "UAS")["parse"].tolist() and not app.error
    assert "mine.npz: what it was trained on is not known" in said(app.caption)


def test_a_group_is_made_on_the_page_and_judged(open_page, workbench, sample):
    app = open_page("compare", state={"cmp_table": "more"})
    assert "There are no groups yet" in app.info[0].value
    app.text_input(key="cmp_group_name").input("short")
    pressed(app, "cmp_group_make")
    assert [group.name for group in groups(workbench.store, sample)] == ["short"]
    assert table(app, "of")["name"].tolist() == ["short"]
    assert "Give the group a name" in said(pressed(app, "cmp_group_make").toast)
    pressed(app, "cmp_group_remove")
    assert groups(workbench.store, sample) == []


def test_an_uploaded_parse_is_scored_by_each_rule(workbench, sample, own, compared, parse):
    heads = fiftieth_unattached(own)
    key = parse(heads)
    assert key in [offer.key for offer in offered_parses(Systems(workbench), sample)]
    found = compared(punctuation=True)
    scores, place = score_table(found), found.names.index("mine.conllu")
    right = int(((heads == own.heads) & (own.heads >= 0)).sum())
    assert scores["LAS"][place].endswith(f" · {right:,}")
    assert f"UAS, LAS of {own.token_count:,} words" in denominators(found)
    assert scores["LAS"][scores["parse"].index("attach left")] is None
    for rules, names in (("words", 4), ("conll2006", 3), ("conll2018", 5)):
        scores, wholes = score_table(found, rules), {}
        assert len(scores) == names + 1
        for names_of, count in re.findall(r"([^·]+) of ([\d,]+) words", denominators(found, rules)):
            wholes |= {name.strip(): count for name in re.split(r", (?!no punct)", names_of)}
        for name in list(scores)[1:]:
            part, _, both = scores[name][place].partition(" · ")[2].partition(" of ")
            part, whole = (int(number.replace(",", "")) for number in (part, both or wholes[name]))
            rows, title = score_rows(found, rules, "mine.conllu", name)
            assert whole - part in (len(rows), 2 * len(rows)) and name in title
    assert score_rows(found, "words", "no such parse", "UAS") is None
    workbench.store.undo(sample.project)
    assert key not in [offer.key for offer in offered_parses(Systems(workbench), sample)]


def test_a_parse_without_heads_at_punctuation_is_not_judged_by_it(own, compared, parse):
    parse(np.where(own.punctuation(), -1, own.heads), "bare.conllu")
    found = compared(punctuation=True)
    scores = score_table(found)
    place = scores["parse"].index("bare.conllu")
    assert (scores["UAS"][place], scores["UAS, no punct."][place][:6]) == (None, "100.0%")
    assert not own.punctuation()[found.comparison.scored].any()


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (
            b"1\tcats\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n",
            r"they part at this text's sentence 1, word 1 \(The\) and the file's sentence 1, word 1 \(cats\); give",
        ),
        (b"1\tcats\t_\tNOUN\t_\t_\t1x\troot\t_\t_\n\n", "line 1"),
        (b"", "empty"),
        (None, r"they part at this text's sentence 1, word 2 \(sea\) and the file's sentence 1, word 2 \(seo\); give"),
    ],
)
def test_a_file_that_is_no_parse_of_the_text_says_why_and_is_not_kept(workbench, sample, own, data, why):
    if data is None:
        data = recut(conllu_text(own), random.Random(0)).replace("a", "o").encode()
    with pytest.raises(WorkbenchError, match=why):
        add_parse(workbench, sample, "other.conllu", data)
    assert len(workbench.store.corpora(sample.project)) == 1


def test_what_a_run_left_is_offered_and_compared_on_its_own_sentences(workbench, text, sample, compared):
    marginals = PackedScores.empty(text.treebank.lengths)
    marginals.values[:] = 0.5
    heads, plan = attach_right(text.treebank).heads, text.settings
    outcome = ConstraintOutcome(inputs=text, plan=plan, parse=Parse(heads, marginals=marginals), weights=np.zeros(3))
    settings = {"corpus": sample.id, **plan.as_dict()}
    run = workbench.store.create_run(sample.project, KIND, settings, data_hash=text.hash)
    workbench.store.start_run(run)
    workbench.store.finish_run(run, "done", {"expectations": []}, outcome.to_bytes())
    found = compared()
    assert found.names[0].startswith(f"run {run}, constraints, ")
    assert (found.sentences, found.of) == (len(text.treebank), len(load_sample()))
    assert found.comparison.pairs[1].differ == 0  # the run's trees are those of attach right
    assert beside.verdict(found.comparison.pairs[1], found).endswith("score the same: each alone is right on 0 words.")
    assert beside.verdict(found.comparison.pairs[0], found).startswith(f"{found.names[0]} is ")


def test_every_cell_holds_the_words_it_counts(compared):
    found = compared(punctuation=False)
    _, kinds = tables.kind_table(found, "distance")
    rows, _ = tables.opened_rows(found, ("kind", "distance", "2", "attach left"))
    place = kinds["kind"].index("2")
    assert kinds["attach left"][place].endswith(f" · {kinds['words'][place] - len(rows):,}")
    cells = tables.confusion_table(found.comparison.confusion("attach right", "direction"))
    rows, title = tables.opened_rows(found, ("cell", "direction", None, "attach right", "right", "left"))
    assert len(rows) == cells["left"][cells[" "].index("after its head")]
    assert "after its head in own trees, before its head in attach right" in title
    sentences, listed = tables.word_table(found, rows)
    text, truth, parse = found.comparison.text, found.comparison.gold, found.comparison.systems["attach right"]
    for k in (0, len(listed["word"]) - 1):
        sentence, place = text[int(sentences[k])], rows[k] - text.offsets[sentences[k]]
        assert listed["word"][k].startswith(f"{place} {sentence.forms[place]} ")
        assert f"⟦{sentence.forms[place]}⟧" in listed["around"][k]
        for name, bank in ((tables.REFERENCE, truth), ("attach right", parse)):
            assert listed[name][k].startswith(f"{bank.heads[rows[k]]} ")
    rows, _ = tables.opened_rows(found, ("kind", "tag", "no such tag", "attach left"))
    assert len(rows) == len(tables.disputed(found))


def test_two_trees_in_one_drawing_mark_the_words(compared):
    found = compared()
    rows = tables.disputed(found)
    sentences, _ = tables.word_table(found, rows)
    given = found, beside.OWN, "attach right", int(sentences[0]), rows
    drawing = tables.draw_two(*given)
    assert len(drawing.spans) == (sentences == sentences[0]).sum() and any(arc.disagrees for arc in drawing.arcs)
    below = [any(arc.below for arc in tables.draw_two(*given, apart=apart).arcs) for apart in (False, True)]
    assert below == [False, True]


def test_trees_over_some_words_keep_their_heads_in_the_whole_text():
    whole = load_sample()
    part = whole.without_punctuation()
    spread = restore_indices(whole, part, part.heads)
    assert (spread[whole.punctuation()] == -1).all()
    kept = np.flatnonzero(spread >= 0)
    assert len(kept) == part.token_count
    heads_kept = ~whole.punctuation()[whole.heads[kept] + np.repeat(whole.offsets[:-1], whole.lengths + 1)[kept]]
    assert (spread[kept] == whole.heads[kept])[heads_kept].all()  # a word under punctuation goes to another head


def test_inconsistencies_of_the_texts_own_trees_are_listed(open_page):
    app = open_page("compare", state={"odd_panel": True})
    assert "words contradict their context" in said(app.markdown)
    assert app.button(key="odd_annotate").label == "Open in Annotate"


def test_a_large_parse_is_read_apart_and_added_or_refused(open_page, own, monkeypatch):
    monkeypatch.setattr(drafts, "SMALL", 0)  # every file is large
    monkeypatch.setattr(drafts, "SMALL_TABLE", 0)
    app = open_page("compare")
    data = conllu_text(attach_left(own)).encode()
    for name, given in (("other.conllu", data[: data.index(b"\n\n") + 2]), ("bad.mrg", b"( (S (NN dog)")):
        app.file_uploader(key="cmp_upload").upload(name, given).run()
        waited_for(app)
        if name == "other.conllu":
            pressed(app, "cmp_upload_take")
        assert name in said(app.error)
    app.file_uploader(key="cmp_upload").upload("mine.conllu", data).run()
    assert app.button(key="cmp_upload_stop")
    pressed(waited_for(app), "cmp_upload_take")
    assert "mine.conllu" in table(app, "UAS")["parse"].tolist() and not app.error
    assert "cmp_upload_take" not in keys(app.button)
