"""Faults of a text as it stands: by rule, of whose version, and how many sentences a correction has checked anew."""

import pytest

from core.annotation import validation
from core.annotation.validation import validate
from core.errors import ConstraintError, WorkbenchError
from core.workspace.annotations import Annotations
from core.workspace.rules import rules_text, save_rules
from core.workspace.validation import BrokenRule, text_faults

TREES = [
    # an adverbial tag under det, and two subjects
    ("it/PRON/2/nsubj", "rains/VERB/0/root", "soon/ADV/2/det"),
    ("it/PRON/3/nsubj", "she/PRON/3/nsubj", "rains/VERB/0/root"),
    ("soon/ADV/2/det", "rains/VERB/0/root"),
]
DET = BrokenRule("tag and relation", "rel-upos-det")


def written(sentences):
    lines = []
    for at, sentence in enumerate(sentences, 1):
        lines.append(f"# sent_id = s{at}")
        for number, word in enumerate(sentence, 1):
            form, tag, head, relation = word.split("/")
            lines.append(f"{number}\t{form}\t_\t{tag}\t_\t_\t{head}\t{relation}\t_\t_")
        lines.append("")
    return "\n".join(lines) + "\n"


@pytest.fixture
def corpus(add):
    return add("faulty.conllu", written(TREES))


def correct(workspace, corpus, index, layer="", **columns):
    version = Annotations(workspace, corpus, layer)
    annotation, was = version.get(index)
    version.write(index, annotation.with_values(columns), was, f"{index} {columns}", "correcting")


def test_faults_stand_by_rule_the_most_frequent_first(workspace, corpus):
    found = text_faults(workspace, corpus)
    assert found.rule_columns() == {
        "rule": ["tag and relation", "repeated"],
        "test": ["rel-upos-det", "too-many-subjects"],
        "faults": [2, 1],
        "sentences": [2, 1],
    }
    assert found.count == 3 and found.sentence_count == 3 and found.lacking == ["text"]
    assert found.words(DET) == [(0, 3), (2, 1)]
    table = found.columns(DET)
    assert table["sentence"] == [1, 3] and table["word"][0] == "3 soon ADV" and "ADV" in table["message"][0]
    assert len(found.columns(DET, most=1)["word"]) == 1


def test_a_correction_takes_its_fault_away_and_undo_brings_it_back(workspace, corpus):
    before = text_faults(workspace, corpus).rule_columns()
    correct(workspace, corpus, 0, deprels=["nsubj", "root", "advmod"])
    assert text_faults(workspace, corpus).words(DET) == [(2, 1)]
    Annotations(workspace, corpus).set_status(0, "done")
    assert text_faults(workspace, corpus).words(DET) == [(2, 1)]
    workspace.store.undo(corpus.project)
    workspace.store.undo(corpus.project)
    assert text_faults(workspace, corpus).rule_columns() == before


def test_each_version_has_its_own(workspace, corpus):
    correct(workspace, corpus, 0, layer="Ann", deprels=["nsubj", "root", "advmod"])
    assert text_faults(workspace.of_version("Ann"), corpus).words(DET) == [(2, 1)]
    assert text_faults(workspace, corpus).words(DET) == [(0, 3), (2, 1)]


def test_only_the_corrected_sentence_is_checked_anew(workspace, corpus, monkeypatch):
    text_faults(workspace, corpus)
    checked, check = [], validation.problems
    monkeypatch.setattr(validation, "problems", lambda *given: checked.append(given[0].sent_id) or check(*given))
    correct(workspace, corpus, 2, deprels=["advmod", "root"])
    found = text_faults(workspace, corpus)
    assert checked == ["s3"] and found.words(DET) == [(0, 3)]
    assert found.validation.faults == validate(workspace.standing(corpus).treebank)


def test_a_text_of_another_format_has_the_faults_of_its_trees(workspace, add):
    text = "".join(f"{number}\t{form}\t_\tX\tX\t_\t0\tROOT\t_\t_\n" for number, form in enumerate("ab", 1)) + "\n"
    corpus = add("two_roots.conll", text, "conllx")
    found = text_faults(workspace, corpus)
    assert [rule.kind for rule in found.by_rule] == ["several roots"] and not found.universal
    correct(workspace, corpus, 0, heads=[0, 1], deprels=["ROOT", "X"])
    assert text_faults(workspace, corpus).count == 0


def test_rules_of_ones_own_count_too_and_are_undone(workspace, corpus):
    before = text_faults(workspace, corpus).rule_columns()
    text = "# mine\nVERB has no nsubj\n"
    save_rules(workspace.store, corpus, text, workspace.treebank(corpus))
    found = text_faults(workspace, corpus)
    assert found.words(BrokenRule("VERB has no nsubj", "")) == [(0, 1), (1, 1), (1, 2)]
    assert rules_text(workspace.store, corpus) == text and found.count == 6
    correct(workspace, corpus, 0, deprels=["expl", "root", "advmod"])
    assert text_faults(workspace, corpus).words(BrokenRule("VERB has no nsubj", "")) == [(1, 1), (1, 2)]
    workspace.store.undo(corpus.project)
    workspace.store.undo(corpus.project)
    assert text_faults(workspace, corpus).rule_columns() == before and rules_text(workspace.store, corpus) == ""


def test_what_breaks_a_rule_with_a_share_is_a_note_and_no_fault(workspace, corpus):
    before = text_faults(workspace, corpus)
    save_rules(workspace.store, corpus, "VERB has no nsubj = 0.5\n", workspace.treebank(corpus))
    found, rule = text_faults(workspace, corpus), BrokenRule("VERB has no nsubj = 0.5", "", True)
    assert (found.count, found.notes, before.notes) == (before.count, 3, 0)
    assert found.sentence_count == before.sentence_count
    assert list(found.by_rule)[-1] == rule and found.words(rule) == [(0, 1), (1, 1), (1, 2)]
    assert found.columns(rule)["message"][0].endswith("no law, but mostly: VERB has no nsubj = 0.5")


def test_rules_that_cannot_be_read_are_refused_and_nothing_is_stored(workspace, corpus):
    for line in ("VERB has nsubj", "VERB has no nsub"):
        with pytest.raises(ConstraintError):
            save_rules(workspace.store, corpus, line, workspace.treebank(corpus))
    assert rules_text(workspace.store, corpus) == ""


def test_lines_that_somebody_else_wrote_meanwhile_stay(workspace, corpus):
    store, treebank = workspace.store, workspace.treebank(corpus)
    save_rules(store, corpus, "VERB has no obj\n", treebank)
    save_rules(store, corpus, "NOUN has no obj\n", treebank, base="")
    assert rules_text(store, corpus) == "VERB has no obj\nNOUN has no obj\n"


def test_rules_about_tags_that_a_text_lacks_are_refused(workspace, add):
    bare = add("bare.conllu", "1\tit\t_\t_\t_\t_\t2\tnsubj\t_\t_\n2\trains\t_\t_\t_\t_\t0\troot\t_\t_\n\n")
    with pytest.raises(WorkbenchError, match="has no UPOS tags, of which the rule VERB has no obj speaks"):
        save_rules(workspace.store, bare, "VERB has no obj", workspace.treebank(bare))
    assert rules_text(workspace.store, bare) == ""
