"""The Consensus page: thresholds answer at once, a run says what it changed, bad input is one sentence."""

import re

import pytest

from core.annotation.edits import attach
from core.workspace.annotations import Annotations
from core.workspace.compare.parsed_text import parsed_text
from core.workspace.consensus.plan import format_groups, parse_groups
from core.workspace.consensus.system import Consensus
from core.workspace.consensus.votes import TEST, TRAIN, ballot, context_table, effect_table, vote_table, votes_of
from core.workspace.parses import offers_of
from core.workspace.registry import Systems
from core.workspace.runs.list import main_figure
from tests.advising import finished
from tests.filled import filled
from tests.pages.reading import keys, pressed, said, shown, table, waited

TEACH = (
    "the/DT/3 old/JJ/3 dog/NN/4 barked/VBD/0",
    "the/DT/2 cat/NN/3 slept/VBD/0 on/IN/3 the/DT/6 mat/NN/4",
    "a/DT/3 small/JJ/3 boat/NN/4 sank/VBD/0",
    "we/PRP/2 saw/VBD/0 the/DT/5 tall/JJ/5 tower/NN/2",
    "birds/NNS/2 sang/VBD/0 in/IN/2 the/DT/5 tree/NN/3",
)
PARSE = (
    "the/DT/3 shy/JJ/3 girl/NN/4 laughed/VBD/0",
    "we/PRP/2 sang/VBD/0 in/IN/2 an/DT/6 old/JJ/6 boat/NN/3",
    "the/DT/2 mat/NN/3 sank/VBD/0 in/IN/3 the/DT/6 tree/NN/4",
)
NOUNS = [f"noun{number}" for number in range(30)]


def conllu(*sentences):
    """CoNLL-U of sentences written ``form/TAG/head``."""
    words = [[word.split("/") for word in sentence.split()] for sentence in sentences]
    return "".join(
        "".join(
            f"{number}\t{form}\t_\t_\t{tag}\t_\t{head}\t{'root' if head == '0' else 'dep'}\t_\t_\n"
            for number, (form, tag, head) in enumerate(sentence, 1)
        ) + "\n"
        for sentence in words
    )  # fmt: skip


@pytest.fixture
def tiny(add):
    return add("tiny.conllu", conllu(*TEACH, *PARSE))


@pytest.fixture
def consensus(workbench):
    return Consensus(workbench)


@pytest.fixture
def read(consensus):
    """read(corpus) -> its texts, and what its plan selects of them."""

    def read(corpus, plan=None):
        plan = consensus.plan(corpus) if plan is None else plan
        texts = consensus.inputs(corpus, plan)
        return texts, consensus.selection(texts, plan)

    return read


def run(consensus, corpus):
    """Parse consistently; returns the ConsensusOutcome."""
    plan = consensus.plan(corpus)
    texts = consensus.inputs(corpus, plan)
    finished(consensus.workspace, consensus.start(texts, plan))
    return consensus.latest(texts)


def test_the_sample_is_counted_and_a_moved_threshold_changes_counts_and_votes(open_page, consensus, sample, read):
    before, app = consensus.plan(sample), open_page("consensus")
    texts, former = read(sample, before)
    found = former.statistics()
    counts = f"**{found['contexts']:,}** contexts cover **{found['words']:,}** of {found['tagged_words']:,}"
    assert counts in said(app.markdown) and "sentence" in app.dataframe[1].value
    assert f"The first {len(texts.train):,} sentences" in said(app.caption)
    app.slider(key="cs_threshold").set_value(0.8).run()
    assert consensus.plan(sample).settings.threshold == 0.8
    texts, now = read(sample)
    moves = former.changes(now)
    assert f"added {len(moves['added']):,} contexts and removed {len(moves['dropped']):,}" in said(app.caption)
    kinds, table, total = context_table(now, former)
    assert total == len(set(now.types) | set(former.types))
    place = table["change"].index("added")
    votes = votes_of(now, former, kinds[place])
    assert (votes.count(TRAIN), votes.count(TEST)) == (table["train"][place], table["test"][place])
    assert set(vote_table(texts.index, votes)["vote"]) == {"added"}
    shown(app, cs_which="dropped")
    assert set(app.dataframe[0].value["change"]) <= {"dropped"}
    assert context_table(now, former, "dropped")[2] == len(moves["dropped"])
    sliders = {slider.label: slider.value for slider in pressed(app, "shared_undo").slider}
    assert sliders["Share of the majority head"] == 1.0
    assert consensus.plan(sample).settings.minimum_count == before.settings.minimum_count


def test_a_run_shows_scores_effects_its_file_and_the_votes_of_the_selection(open_page, consensus, tiny, read):
    texts, selection = read(tiny)
    outcome = run(consensus, tiny)
    app = shown(open_page("consensus", corpus="tiny.conllu"), cs_view="effects")
    base, model = outcome.run.figures["base"], outcome.run.figures["model"]
    assert f"({model['right']:,} of {model['words']:,}, with punctuation" in said(app.markdown)
    assert f"for the parser alone ({base['right']:,})" in said(app.markdown)
    assert "cs_converged" in keys(app.button)
    changed = int((outcome.parse.heads != outcome.base.heads).sum())
    assert sum(effect_table(outcome.effects)["changed"]) <= changed == outcome.run.figures["changed_words"]
    counted, names = selection.votes(outcome.parse.heads), texts.index.labels.names
    for number, kind in enumerate(filled(selection.types.tolist())):
        for tag, (trees, _, consistent) in ballot(texts.index, votes_of(selection, selection, kind), outcome).items():
            assert trees + consistent == counted[number, names.index(tag)]


def test_relations_are_offered_where_the_trees_that_teach_have_none(open_page, consensus, tiny, add):
    outcome, bare = run(consensus, tiny), add("bare.conllu", conllu(*TEACH))
    app = shown(open_page("consensus", corpus="tiny.conllu"), cs_view="effects")
    app.selectbox(key="cs_relations_choice").set_value("rules").run()
    assert "From the tags of both words." in said(app.caption)
    systems = Systems(consensus.workspace)
    offer = offers_of(systems, tiny, outcome.run)[0]
    assert "\tdet\t" in parsed_text(systems, tiny, offer.key).conllu()
    app.selectbox(key="cs_relations_choice").set_value(f"corpus-{bare.id}").run()
    assert "bare.conllu has no whole tree with relations to learn" in said(app.toast)
    assert "From the tags of both words." in said(app.caption)


def test_the_button_makes_a_run_from_other_trees(open_page, add, workbench):
    trees, text = add("trees.conllu", conllu(*TEACH)), add("text.conllu", conllu(*PARSE))
    app = open_page("consensus", corpus=text.name)
    app.selectbox(key="cs_trees").set_value(trees.id).run()
    app.number_input(key="cs_epochs").set_value(2).run()
    made = waited(pressed(app, "cs_start"), workbench, Consensus.kind)
    assert (made.settings["trees"], made.settings["epochs"]) == (trees.id, 2)
    assert made.figures["sentences"] == len(PARSE)


def test_deltas_out_of_order_are_said_and_nothing_is_lost(open_page, consensus, tiny):
    app = open_page("consensus", corpus="tiny.conllu")
    app.number_input(key="cs_delta2").set_value(2.0).run()
    assert "delta1 >= delta2 >= delta3 >= 0" in said(app.error) and "contexts cover" in said(app.markdown)
    assert consensus.plan(tiny).settings.delta2 == 2.0
    assert "put them in order" in said(pressed(app, "cs_start").error)
    assert not consensus.runs(tiny.project)


@pytest.mark.parametrize(
    ("sentences", "changes", "message"),
    [
        (TEACH[:1], {}, "has only one sentence"),
        ((*TEACH, "der/ART/2 Hund/NE/3 bellt/VVFIN/0"), {"first": 5}, "different tag sets"),
        (("a/DT/2 b/NN/0", "c/NN/2 d/DT/0"), {"first": 1, "width": 2, "minimum_count": 9}, "lower the threshold"),
        (TEACH, {"minimum_count": 20}, "lower the threshold or the minimum count"),
    ],
)
def test_texts_that_do_not_go_together_are_one_clear_sentence(open_page, consensus, add, sentences, changes, message):
    consensus.save(add("odd.conllu", conllu(*sentences)), "choosing", **changes)
    app = open_page("consensus", corpus="odd.conllu")
    assert message in said(app.error) and app.selectbox(key="cs_trees")


def test_close_tags_are_groups_that_read_back(sample, read):
    labels = read(sample)[0].index.labels
    again, count = labels.with_close(parse_groups(format_groups(labels))), len(labels.names)
    pairs = [(one, other) for one in range(1, count) for other in range(1, count)]
    same = [[each.close[one] == each.close[other] for one, other in pairs] for each in (labels, again)]
    assert same[0] == same[1]
    with pytest.raises(ValueError, match="NN is in line 1 and in line 2; leave it in one group"):
        parse_groups("NN NNS\nNN VB")


def test_a_word_against_its_context_opens_in_annotate(open_page, add):
    add("odd.conllu", conllu(*(f"the/DT/2 {noun}/NN/3 ran/VBD/0" for noun in NOUNS), "the/DT/3 dog/NN/3 ran/VBD/0"))
    app = shown(open_page("consensus", corpus="odd.conllu"), cs_view="outliers")
    assert "**1** of 93 words contradict their context" in said(app.markdown)
    listed = table(app, "others")
    assert listed["around"].tolist() == ["⟦the⟧ dog ran"]
    assert listed["has"].tolist() == ["3 ran VBD: VB to the right"] and listed["others"].tolist() == ["NN to the right"]
    pressed(app, "odd_annotate")
    assert app.session_state["sentence"] == 31 and app.session_state["list_row"] == 0
    assert "**Inconsistencies** · 1 of 1 · 0 done" in said(app.markdown)
    assert app.segmented_control(key="ann_status")  # Annotate is open


def test_words_against_their_context_are_counted_among_those_with_a_head(open_page, add):
    trees = [f"the/DT/2 {noun}/NN/3 ran/VBD/0" for noun in NOUNS]
    add("part.conllu", conllu(*trees, "the/DT/3 dog/NN/3 ran/VBD/0", "the/DT/_ dog/NN/_ ran/VBD/_"))
    app = shown(open_page("consensus", corpus="part.conllu"), cs_view="outliers")
    assert "**1** of 93 words with a head contradict their context" in said(app.markdown)


def test_texts_without_trees_say_why_nothing_is_compared(open_page, add):
    add("bare.conllu", conllu("the/DT/_ dog/NN/_", "a/DT/_ cat/NN/_"))
    app = shown(open_page("consensus", corpus="bare.conllu"), cs_view="outliers")
    assert "bare.conllu has no trees; annotate or parse it first" in said(app.error)


def test_what_was_parsed_stays_where_a_tree_is_corrected_and_the_page_says_so(open_page, consensus, tiny):
    outcome = run(consensus, tiny)
    version = Annotations(consensus.workspace, tiny)
    annotation, was = version.get(len(TEACH))
    version.write(len(TEACH), attach(annotation, 1, 4), was, "one head", "correcting")
    said_before = said(shown(open_page("consensus", corpus="tiny.conllu"), cs_view="effects").caption)
    assert "has been corrected" not in said_before  # it is begun
    version.set_status(len(TEACH), "done")
    app = shown(open_page("consensus", corpus="tiny.conllu"), cs_view="effects")
    assert f"The text has been corrected since run {outcome.run.id}. Parse again" in said(app.caption)
    assert f"({outcome.run.figures['model']['right']:,} of" in said(app.markdown) and not app.exception
    consensus.workspace.store.undo(tiny.project)
    app = shown(open_page("consensus", corpus="tiny.conllu"), cs_view="effects")
    assert "has been corrected" not in said(app.caption)


def moved(text):
    """CoNLL-U whose tags stand in UPOS alone."""
    return re.sub(r"\t_\t(\w+)\t_\t(?=\d|_)", r"\t\1\t_\t_\t", text)


def test_the_sentences_that_are_done_teach_and_the_others_are_parsed(open_page, consensus, add):
    bare = [" ".join(word.rpartition("/")[0] + "/_" for word in sentence.split()) for sentence in (*PARSE, *TEACH)]
    text = add("own.conllu", moved(conllu(*bare)).replace("\tdep\t", "\t_\t").replace("\troot\t", "\t_\t"))
    assert "that should teach has a tree: correct some in Annotate" in said(
        open_page("consensus", corpus="own.conllu").error
    )
    version = Annotations(consensus.workspace, text)
    for place, sentence in enumerate(TEACH, len(PARSE)):
        heads = [int(word.rpartition("/")[2]) for word in sentence.split()]
        annotation, was = version.get(place)
        relations = ["root" if head == 0 else "dep" for head in heads]
        changed = annotation.with_values({"heads": heads, "deprels": relations})
        version.write(place, changed, was, f"sentence {place}", "correcting")
        version.set_status(place, "done")
    app = open_page("consensus", corpus="own.conllu")
    assert f"The {len(TEACH)} sentences" in said(app.caption) and "with trees teach" in said(app.caption)
    made = waited(pressed(app, "cs_start"), consensus.workspace, Consensus.kind)
    outcome = consensus.load(made)
    assert outcome.inputs.test.picks.tolist() == list(range(len(PARSE)))
    assert outcome.inputs.index.labels.column == outcome.inputs.parser_tags == "upos"
    assert (outcome.parses[""].heads[outcome.parses[""].is_word] >= 0).all() and "words" not in made.figures["model"]
    assert f"of {outcome.run.figures['tagged_words']} heads changed" in main_figure(outcome.run)
    app = shown(open_page("consensus", corpus="own.conllu"), cs_view="effects")
    assert "Settings have changed" not in said(app.caption) and not app.error


def test_settings_have_changed_only_where_they_have(open_page, consensus, add):
    trees, text = add("trees.conllu", conllu(*TEACH)), add("text.conllu", conllu(*PARSE))
    consensus.save(text, "choosing", trees=trees.id, epochs=2)
    run(consensus, text)
    page = shown(open_page("consensus", corpus="text.conllu"), cs_view="effects")
    assert "Settings have changed" not in said(page.caption)
    consensus.save(text, "choosing", epochs=3)
    page = shown(open_page("consensus", corpus="text.conllu"), cs_view="effects")
    assert "Settings have changed since run" in said(page.caption)
    consensus.save(text, "choosing", epochs=2, first=2)  # which counts only where the text itself teaches
    page = shown(open_page("consensus", corpus="text.conllu"), cs_view="effects")
    assert "Settings have changed" not in said(page.caption)


def test_tags_that_both_texts_have_are_read_where_one_has_more(consensus, add):
    both = re.sub(r"\t_\t(\w+)\t_\t(?=\d)", r"\t\1\tx\1\t_\t", conllu(*TEACH))
    trees, text = add("both.conllu", both), add("upos.conllu", moved(conllu(*PARSE)))
    consensus.save(text, "choosing", trees=trees.id, epochs=1)
    outcome = run(consensus, text)
    assert outcome.inputs.parser_tags == outcome.inputs.index.labels.column == "upos"


def test_what_cannot_run_says_so_before_it_begins(open_page, consensus, add):
    crossing = ("a/DT/3 b/NN/4 c/NN/0 d/NN/3", "a/DT/3 b/NN/4 c/NN/0 d/JJ/3")
    add("crossing.conllu", conllu(*crossing, "a/DT/2 b/NN/0"))
    consensus.save(consensus.store.corpora(consensus.store.default_project())[-1], "choosing", first=2)
    app = open_page("consensus", corpus="crossing.conllu")
    assert "o parser can learn from the trees of crossing.conllu: 2 non-projective" in said(app.error)
    add("all.conllu", conllu(*TEACH))
    consensus.save(consensus.store.corpora(consensus.store.default_project())[-1], "choosing", first=0)
    assert "none is left to parse" in said(open_page("consensus", corpus="all.conllu").error)


def test_one_switch_sets_the_papers_settings_and_lists_what_differs(open_page, consensus, tiny):
    app = open_page("consensus", corpus="tiny.conllu")
    before, switch = consensus.plan(tiny), app.segmented_control(key="cs_preset")
    assert switch.value == "best" and "12 differences from the paper" in [each.label for each in app.expander]
    listed = said(app.markdown)
    assert "**First multipliers**: 0.3; paper: 0" in listed and "is a minus" in listed
    shown(app, cs_preset="paper")
    assert consensus.plan(tiny) == before.under("paper", before) != before
    assert app.segmented_control(key="cs_preset").value == "paper" and "First multipliers**" not in said(app.markdown)
    assert "4 differences from the paper" in [each.label for each in app.expander]
    assert shown(app, cs_search_decay_1="component").segmented_control(key="cs_preset").value is None
    assert "**Step shrinks for**: Connected sentences; paper: All" in said(app.markdown)
    shown(app, cs_preset="best")
    assert consensus.plan(tiny) == before
    pressed(app, "shared_undo")
    assert consensus.plan(tiny).settings.decay == "component"
