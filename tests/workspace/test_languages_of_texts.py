"""What is said of a language serves each of its texts: lists, answers, constraints, relations; merging; undo."""

import io
from dataclasses import replace

import pytest

from core.annotation import change
from core.constraints import parse_constraints
from core.errors import StoreError
from core.store import Command
from core.treebank.tag_shares import read_tag_shares
from core.workspace import Tagging
from core.workspace.annotate.proposals import remember_proposal, remembered_proposal
from core.workspace.annotations import Annotations
from core.workspace.constraints.answers import with_answers
from core.workspace.constraints.conditioning import stored_plan
from core.workspace.constraints.constraint_set import constraint_text, put_constraint, save_text
from core.workspace.constraints.versions import keep_version, kept_versions
from core.workspace.corpora import TAGS, language_of
from core.workspace.corpus.hand_tags import hand_tags, teach_list
from core.workspace.language_parts import join, keep_own, merged, sharing
from core.workspace.languages import (
    ANSWERS,
    CONSTRAINTS,
    RELATIONS,
    SHARED,
    TAGGING,
    change_language,
    merged_text,
    own_value,
    parts_of_language,
    value_of,
)
from core.workspace.markup.pages import add_pages
from core.workspace.parses import available_trees, shown_parse, usual_choice
from core.workspace.registry import Systems
from core.workspace.relations import choose_relations, chosen_relations
from core.workspace.word_tags import change_tagging, save_tagging, saved_tagging
from tests.filled import filled
from tests.workspace.running import ended

LIST = "el DET\ngat NOUN\ndorm VERB\n"
FIRST, SECOND = "el gat dorm\nel gat menja\n", "el gat salta\nel gos dorm\n"
LINE, OTHER = "DET <- NOUN = 0.9\n", "NOUN <- VERB = 0.8\n"


def tagged(upos="", xpos=""):
    """A text of three words, with tags in a column or in none."""
    rows = zip(("el", "gat", "dorm"), upos.split() or "___", xpos.split() or "___", strict=True)
    return (
        "".join(f"{n}\t{form}\t_\t{one}\t{other}\t_\t_\t_\t_\t_\n" for n, (form, one, other) in enumerate(rows, 1))
        + "\n"
    )


@pytest.fixture
def catalan(workspace, add):
    """catalan(name, text) -> a text in Catalan."""

    def catalan(name, text=FIRST, language="ca"):
        return change_language(workspace.store, add(name, text), language)

    return catalan


@pytest.fixture
def pair(catalan):
    """Two texts in Catalan without tags."""
    return catalan("one.txt"), catalan("two.txt", SECOND)


def test_what_is_said_at_one_text_serves_the_others_of_its_language(workspace, pair, catalan):
    store, (one, two) = workspace.store, pair
    spanish, unknown = catalan("es.txt", language="es"), catalan("unknown.txt", language="unknown")
    save_tagging(store, one, Tagging(LIST), "typing")
    save_text(store, one, LINE, "typing")
    Systems(workspace)["grammar"].save(one, "answering", word_order="adposition=before", kin=("Irish",))
    choose_relations(workspace, one, "rules")
    key = workspace.corpus_key(two)
    assert workspace.treebank(two)[1].upos[1:] == ("DET", "X", "VERB")
    assert constraint_text(store, two, workspace.treebank(two)) == LINE
    assert Systems(workspace)["grammar"].plan(two).word_order == "adposition=before"
    assert (plan := stored_plan(workspace, two)) is not None and plan.kin == ("Irish",)
    assert chosen_relations(workspace, two).choice == "rules"
    assert all(value_of(store, other, kind) is None for other in (spanish, unknown) for kind in SHARED)
    listed = "word list, answers about word order, constraints and relations of Catalan"
    assert parts_of_language(store, two) == listed and parts_of_language(store, unknown) == ""
    change_tagging(store, two, lambda tagging: tagging.with_word("gos", "NOUN"), "tagging")
    assert workspace.corpus_key(two) != key and saved_tagging(store, one) == Tagging(LIST + "gos NOUN\n")
    store.undo(one.project)
    assert workspace.corpus_key(two) == key


def test_tag_sets_stay_apart_and_tags_of_a_file_go_before_a_list(workspace, catalan):
    store = workspace.store
    upos, xpos = catalan("upos.conllu", tagged("DET NOUN VERB")), catalan("xpos.conllu", tagged(xpos="DT NN VB"))
    bare = catalan("bare.txt")
    save_text(store, upos, LINE, "typing")
    save_tagging(store, bare, Tagging("gat PROPN\n"), "typing")
    assert value_of(store, bare, CONSTRAINTS) == LINE and value_of(store, xpos, CONSTRAINTS) is None
    assert workspace.treebank(upos)[0].upos[2] == "NOUN" and not any(workspace.treebank(xpos)[0].upos)
    both = catalan("both.conllu", tagged("DET NOUN VERB", "DT NN VB"))
    ge = Systems(workspace)["ge"]
    ge.save(both, "choosing tags", tags="xpos")
    save_text(store, both, "DT <- NN = 0.9\n", "mapping")
    assert value_of(store, upos, CONSTRAINTS) == LINE  # the text that chose other tags took its copy along
    for _ in range(2):
        store.undo(both.project)
    assert own_value(store, both, CONSTRAINTS) is None and ge.plan(both).tags == "upos"


def test_a_text_that_differs_keeps_its_own_until_both_are_merged(workspace, pair):
    store, (one, two) = workspace.store, pair
    save_tagging(store, one, Tagging(LIST), "typing")
    save_text(store, one, LINE, "typing")
    for kind in (TAGGING, CONSTRAINTS):
        keep_own(workspace, two, kind)
        state = sharing(workspace, two, kind)
        assert state is not None and state.is_own and state.language == "Catalan"
    change_tagging(store, one, lambda tagging: tagging.with_word("salta", "VERB"), "tagging")
    change_tagging(store, two, lambda tagging: tagging.with_word("gat", "PROPN").with_word("gos", "NOUN"), "tagging")
    put_constraint(store, two, LINE, parse_constraints("DET <- NOUN = 0.5")[0])
    assert workspace.treebank(one)[0].upos[2] == "NOUN" and workspace.treebank(two)[0].upos[2] == "PROPN"
    state = sharing(workspace, one, TAGGING)
    assert state is not None and not state.is_own and [text.id for text in state.apart] == [two.id]
    assert merged(workspace, two, TAGGING).conflicts == ("gat: PROPN NOUN, before NOUN",)
    join(workspace, two, TAGGING)
    join(workspace, two, CONSTRAINTS)
    for text in filled(pair):
        lexicon = saved_tagging(store, text).lexicon()
        assert lexicon.tags("gat")[0] == "PROPN" and lexicon.tags("gos") == ("NOUN",)
        assert lexicon.tags("salta") == ("VERB",)
        assert value_of(store, text, CONSTRAINTS) == "DET <- NOUN = 0.5\n"
    store.undo(one.project)
    assert own_value(store, two, CONSTRAINTS) == "DET <- NOUN = 0.5\n" and value_of(store, one, CONSTRAINTS) == LINE


def test_answers_and_relations_are_merged_too(workspace, pair):
    store, (one, two), grammar = workspace.store, pair, Systems(workspace)["grammar"]
    save_tagging(store, one, Tagging(LIST), "typing")
    grammar.save(one, "answering", word_order="adposition=before,object=after")
    choose_relations(workspace, one, "rules")
    keep_own(workspace, two, ANSWERS)
    keep_own(workspace, two, RELATIONS)
    grammar.save(two, "answering", word_order="adposition=after,adverb=before")
    choose_relations(workspace, two, "none")
    assert grammar.plan(one).word_order == "adposition=before,object=after"
    assert merged(workspace, two, ANSWERS).conflicts == ("adposition: after, before before",)
    assert merged(workspace, two, RELATIONS).conflicts == ("none, before by rules",)
    join(workspace, two, ANSWERS)
    join(workspace, two, RELATIONS)
    assert grammar.plan(one).word_order == "adposition=after,object=after,adverb=before" == grammar.plan(two).word_order
    assert chosen_relations(workspace, one).choice == "none"


def test_texts_of_older_versions_keep_theirs_until_they_are_merged(workspace, pair):
    store, (one, two) = workspace.store, pair
    old = store.change_corpus(two.id, settings={"language": "ca"})  # which did not say what tags it has
    store.execute(old.project, *_documents(old))
    plan = with_answers(store, old, Systems(workspace)["grammar"].plan_class("upos"))
    assert plan.word_order == "object=before" and workspace.treebank(old)[1].upos[2] == "NOUN"
    save_tagging(store, one, Tagging("gos PROPN\n"), "typing")
    for kind in (TAGGING, ANSWERS):
        state = sharing(workspace, old, kind)
        assert state is not None and state.is_own
        join(workspace, old, kind)
        old = store.corpus(old.id)
        assert old.settings[TAGS] == "" and own_value(store, old, kind) is None
    assert saved_tagging(store, old).text == "gos PROPN\n" and merged(workspace, old, TAGGING).conflicts == ()
    assert Systems(workspace)["grammar"].plan(one).word_order == "object=before"
    assert store.document(old.project, "grammar-training", str(old.id)) == {"tags": "upos", "prior": "nearest"}
    store.undo(old.project)
    store.undo(old.project)
    assert TAGS not in store.corpus(old.id).settings and saved_tagging(store, store.corpus(old.id)).text == "gos NOUN\n"


def _documents(corpus):
    plan = {"tags": "upos", "prior": "nearest", "word_order": "object=before", "kin": []}
    yield Command(TAGGING, str(corpus.id), None, {"text": "gos NOUN\n", "lists": []})
    yield Command("grammar-training", str(corpus.id), None, plan)


def test_what_was_said_goes_along_when_a_language_is_changed(workspace, add, catalan):
    store = workspace.store
    one = change_language(store, add("one.txt", FIRST), "unknown")
    save_tagging(store, one, Tagging(LIST), "typing")
    one = change_language(store, one, "es")  # now known: what was said is of the language
    assert own_value(store, one, TAGGING) is None and saved_tagging(store, one) == Tagging(LIST)
    key = workspace.corpus_key(one)
    one = change_language(store, one, "Catalan")  # a wrong guess, that no other text shares
    assert own_value(store, one, TAGGING) is None and saved_tagging(store, one) == Tagging(LIST)
    assert workspace.corpus_key(one) == key
    two = catalan("two.txt", SECOND)
    assert saved_tagging(store, two) == Tagging(LIST)
    two = change_language(store, two, "es")  # where nothing is left, and Catalan keeps its list
    assert saved_tagging(store, two) is None and saved_tagging(store, one) == Tagging(LIST)
    store.undo(two.project)
    assert saved_tagging(store, store.corpus(two.id)) == Tagging(LIST)
    two = change_language(store, store.corpus(two.id), "unknown")
    change_tagging(store, two, lambda tagging: tagging.with_word("gos", "NOUN"), "tagging")
    assert saved_tagging(store, one) == Tagging(LIST) and "gos" in saved_tagging(store, two).text
    two = change_language(store, two, "ca")  # which has a list: both stay, to be merged
    assert "gos" in own_value(store, two, TAGGING)["text"] and saved_tagging(store, one) == Tagging(LIST)


def test_runs_see_the_list_as_it_was_when_they_were_made(workspace, pair):
    store, (one, two), grammar = workspace.store, pair, Systems(workspace)["grammar"]
    save_tagging(store, one, Tagging(LIST + "@other NOUN\n"), "typing")
    save_text(store, one, LINE, "typing")
    grammar.save(two, "beginning from nothing", prior="none")
    run = ended(grammar, grammar.train(grammar.text(two), LINE))
    tags = [sentence.upos for sentence in grammar.inputs_of(run)[0].treebank]
    change_tagging(store, one, lambda tagging: tagging.with_word("gos", "PROPN"), "tagging")
    change_language(store, two, "es")
    assert [sentence.upos for sentence in grammar.inputs_of(run)[0].treebank] == tags
    assert remembered_proposal(Systems(workspace), one) == "none"  # Spanish by now
    store.undo(two.project)
    assert remembered_proposal(Systems(workspace), one) == f"by-{run.id}"
    assert remembered_proposal(Systems(workspace), two) == "none"  # the run is on this text
    for text, first in ((one, f"by-{run.id}"), (two, f"run-{run.id}")):  # what is shown and compared until one chooses
        offers = available_trees(Systems(workspace), text)
        assert shown_parse(Systems(workspace), text, offers) == first
        assert usual_choice(offers, first) == [first, "left", "right"]
    remember_proposal(store, two, f"run-{run.id}")
    again = ended(grammar, grammar.train(grammar.text(two), LINE))
    assert remembered_proposal(Systems(workspace), two) == f"run-{again.id}"  # ended after the choice
    remember_proposal(store, two, f"run-{run.id}")
    assert remembered_proposal(Systems(workspace), two) == f"run-{run.id}"  # chosen when there was a newer one


def test_two_people_who_add_to_one_list_lose_nothing(workspace, pair):
    store, (one, two) = workspace.store, pair
    save_tagging(store, one, Tagging(LIST), "typing")

    def meanwhile(tagging):
        if "gos" not in tagging.text:
            save_tagging(store, one, tagging.with_word("gos", "NOUN"), "tagging")
        return tagging.with_word("salta", "VERB")

    change_tagging(store, two, meanwhile, "tagging")
    assert saved_tagging(store, one).text == LIST + "gos NOUN\nsalta VERB\n"
    with pytest.raises(StoreError, match="others change the word list all the time; try again"):
        change_tagging(store, two, lambda tagging: _always(store, one, tagging), "tagging")
    save_text(store, one, LINE, "typing")
    save_text(store, two, LINE + OTHER, "adding", base=LINE)
    save_text(store, one, "# mine\n" + LINE, "adding", base=LINE)
    assert value_of(store, two, CONSTRAINTS) == LINE + OTHER + "# mine\n"
    assert merged_text("a\nb\n", "a\nb\nc\n", "b\nd\n") == "b\nc\nd\n"


def _always(store, corpus, tagging):
    save_tagging(store, corpus, Tagging(tagging.text + f"w{len(tagging.text)} NOUN\n"), "tagging")
    return tagging.with_word("mine", "NOUN")


def test_relations_by_hand_are_learnt_from_all_texts_of_the_language(workspace, catalan):
    one, two = (catalan(f"{name}.conllu", tagged("DET NOUN VERB") * 2) for name in ("one", "two"))
    version = Annotations(workspace, one)
    annotation, was = version.get(0)
    drawn = annotation.with_values({"heads": [2, 3, 0], "deprels": ["det", "nsubj", "root"]})
    version.write(0, drawn, was, "a", "drawing")
    version.set_status(0, "done")
    choose_relations(workspace, one, "hand")
    chosen = chosen_relations(workspace, two)
    assert chosen.choice == "hand" and chosen.source == "learnt from 1 tree annotated by hand" and not chosen.problem


def test_tags_corrected_in_sentences_teach_the_list(workspace, pair):
    store, (one, two) = workspace.store, pair
    save_tagging(store, one, Tagging("el DET\ngat VERB\n", learnt=True), "typing")
    for index in (0, 1):
        _retag(workspace, one, index, 2, "NOUN")
    _retag(workspace, one, 0, 3, "AUX" if workspace.treebank(one)[0].upos[3] != "AUX" else "VERB")
    gat, dorm = hand_tags(workspace, two)  # at the other text too
    assert gat.sentence == "gat: NOUN by hand 2 times, VERB by the list" and not dorm.is_listed
    assert dorm.sentence.endswith("as learnt from the list")
    teach_list(workspace, two, [gat])
    assert saved_tagging(store, one).text == "el DET\ngat NOUN VERB\n"
    assert [word.form for word in hand_tags(workspace, one)] == ["dorm"]
    assert workspace.treebank(two)[0].upos[2] == "NOUN"
    store.undo(one.project)
    assert saved_tagging(store, two).text == "el DET\ngat VERB\n"


def _retag(workspace, corpus, index, word, tag):
    version = Annotations(workspace, corpus)
    annotation, was = version.get(index)
    version.write(index, change(annotation, "upos", word, tag), was, f"{index} {word} {tag}", "tagging")


def test_how_probable_a_tag_was_goes_when_it_is_corrected_and_comes_back(workspace, add):
    shares = "Gloss=cat|TagProb=NOUN:0.60,VERB:0.40"
    text = tagged("DET NOUN VERB").replace("NOUN" + "\t_" * 6, "NOUN" + "\t_" * 5 + f"\t{shares}")
    corpus = add("shares.conllu", text * 2)
    for index, tag in ((0, "VERB"), (1, "PROPN")):
        _retag(workspace, corpus, index, 2, tag)
    assert [sentence.misc[2] for sentence in workspace.standing(corpus).treebank] == ["Gloss=cat"] * 2
    assert read_tag_shares(workspace.standing(corpus).treebank, ["NOUN", "VERB"]) is None
    workspace.store.undo(corpus.project)
    shown = workspace.standing(corpus).treebank
    assert shown[0].misc[2] == "Gloss=cat" and shown[1].misc[2] == shares


def test_two_entries_of_one_word_are_said():
    tagging = Tagging("gat NOUN\nel DET\n\ngat VERB\n-ar VERB\n-ar NOUN # an ending\nwhat\ngat NOUN ADJ\n")
    assert tagging.repetitions() == [
        (4, "gat is NOUN by line 1 already, which counts; leave one of both out"),
        (6, "-ar is VERB by line 5 already, which counts; leave one of both out"),
    ]
    assert tagging.lexicon_or_rest()[0].tags("gat")[0] == "NOUN"
    assert Tagging("gat NOUN\nel DET\n").with_word("Gat", "VERB").text == "el DET\ngat VERB NOUN\n"


def test_versions_of_a_set_and_a_backup_hold_what_is_of_the_language(workspace, pair):
    store, (one, two) = workspace.store, pair
    save_tagging(store, one, Tagging(LIST), "typing")
    save_text(store, one, LINE, "typing")
    version = keep_version(store, one, workspace.treebank(one), "first")
    save_text(store, two, OTHER, "typing")
    assert [each.id for each in kept_versions(store, two)] == [version.id]
    store.restore_version(version.id)
    assert value_of(store, two, CONSTRAINTS) == LINE
    file = io.BytesIO()
    store.backup_project(store.project(one.project), file)
    copy = store.restore_backup(file)
    text = next(text for text in store.corpora(copy) if text.name == "two.txt")
    assert value_of(store, text, CONSTRAINTS) == LINE and saved_tagging(store, text) == Tagging(LIST)
    assert workspace.treebank(text)[0].upos[2] == "NOUN"


def test_a_tagger_is_of_one_text_and_leaves_the_list_of_the_language(workspace, pair):
    store, (one, two) = workspace.store, pair
    save_tagging(store, one, Tagging(LIST), "typing")
    tagger = replace(saved_tagging(store, two), reader="english", run=1)
    save_tagging(store, two, tagger, "tagging")
    assert saved_tagging(store, one) == Tagging(LIST) and own_value(store, two, TAGGING)["reader"] == "english"
    assert sharing(workspace, two, TAGGING) is None
    save_tagging(store, two, Tagging(LIST), "removing a tagger’s tags")
    assert own_value(store, two, TAGGING) is None and saved_tagging(store, two) == Tagging(LIST)


def test_what_shares_nothing_says_so(workspace, add, sample):
    corpus = change_language(workspace.store, add("one.txt", FIRST), "unknown")
    assert sharing(workspace, corpus, TAGGING) is None and sharing(workspace, sample, CONSTRAINTS) is None
    with pytest.raises(StoreError, match=r"one.txt shares no word list with other texts; say its language first"):
        join(workspace, corpus, TAGGING)


def test_pages_tagged_by_word_lists_leave_the_list_of_the_language(workspace, pair):
    store, (one, _) = workspace.store, pair
    for text in pair:
        change_language(store, text, "es")
    one = store.corpus(one.id)
    save_tagging(store, one, Tagging(LIST), "typing")
    page = b"<html lang=es><body><p>El gato duerme en la casa de mi madre.</p></body></html>"
    number, _ = add_pages(store, one.project, [("page.html", page)], reader="lists", language="es")
    assert language_of(store.corpus(number)) == "es"
    assert saved_tagging(store, one) == Tagging(LIST, ("spanish",))
