"""``--rules`` of ``parse`` and ``corpus validate``."""

import numpy as np
import pytest

from core.rules.universal import UNIVERSAL, universal_rules
from core.treebank import load_sample, read_conllu, write_conllu
from tests.commandline.conftest import FOUND
from tests.filled import filled

RULES = "* has at most 1 {nsubj csubj}  # one subject\nif DET then its head is {NOUN PROPN PRON ADJ} within 3\n"


@pytest.fixture
def text(tmp_path):
    write_conllu(load_sample().limit(80), tmp_path / "text.conllu")
    return tmp_path / "text.conllu"


def test_trees_keep_the_rules_and_say_how_sure_that_is(run, write, text, tmp_path):
    rules, out = write("rules.txt", RULES), tmp_path / "out.conllu"
    data = run("parse", text, "--model", "english", "--rules", rules, "--out", out, "--json")["rules"]
    assert data["rules"] == 2 and data["searched"] == data["certified"] == len(data["sentences"]) > 0
    clashing = {row["sentence"] for row in data["sentences"] if row["clash"]}
    for row in filled(data["sentences"]):
        assert row["broke"] and row["value"] == row["bound"] and row["decodings"] >= 1
        assert bool(row["breaks"]) == (row["sentence"] in clashing)
    faults = run("corpus", "validate", out, "--rules", rules, "--json", code=1)["faults"]
    own = [fault for fault in faults if "the rule is:" in fault["message"]]
    assert {fault["sent_id"] for fault in own} == clashing
    said = run("parse", text, "--model", "english", "--rules", rules, "--out", out)
    assert f"2 rules: the best trees of {data['searched']} sentences broke some; {data['certified']}" in said


def test_rules_go_with_constraints(run, write, text, tmp_path):
    rules, lines, out = write("rules.txt", RULES), write("lines.txt", "NOUN -> VERB = 0.0\n"), tmp_path / "out.conllu"
    parse = "parse", text, "--model", "universal", "--out", out, "--json"
    alone, both = (run(*parse, "--rules", rules, *more)["rules"] for more in ((), ("--constraints", lines)))
    assert both["searched"] == both["certified"] > 0 and both["sentences"] != alone["sentences"]
    clashing = {row["sentence"] for row in both["sentences"] if row["clash"]}
    faults = run("corpus", "validate", out, "--rules", rules, "--json", code=1)["faults"]
    assert {fault["sent_id"] for fault in faults if "the rule is:" in fault["message"]} == clashing


def test_validation_counts_what_breaks_the_rules_by_rule(run, write, text):
    data = run("corpus", "validate", text, "--rules", write("rules.txt", "NOUN has no det"), "--json", code=1)
    sample = load_sample().limit(80)
    count = sum(
        sentence.upos[head] == "NOUN" and relation.split(":")[0] == "det"
        for sentence in sample
        for head, relation in zip(sentence.heads[1:], sentence.deprels[1:], strict=True)
    )
    assert data["kinds"]["NOUN has no det"] == count > 0


def test_what_breaks_a_rule_with_a_share_is_a_note(run, write, text):
    rules = write("r.txt", "NOUN has no det = 0.4\nNOUN has no amod")
    data = run("corpus", "validate", text, "--rules", rules, "--json", code=1)
    laws = run(
        "corpus", "validate", text, "--rules", write("l.txt", "NOUN has no det\nNOUN has no amod"), "--json", code=1
    )
    assert data["notes"] == {"NOUN has no det = 0.4": laws["kinds"]["NOUN has no det"]}
    assert data["kinds"] == {kind: count for kind, count in laws["kinds"].items() if kind != "NOUN has no det"}
    notes = [fault for fault in data["faults"] if fault["note"]]
    assert len(notes) == laws["kinds"]["NOUN has no det"] and data["faulty"] < laws["faulty"]
    assert "no law, but mostly: NOUN has no det = 0.4" in notes[0]["message"]
    said = run("corpus", "validate", text, "--rules", rules, code=1)
    assert f"{sum(data['kinds'].values())} faults in {data['faulty']}" in said and "no law, but mostly" in said


def test_what_cannot_be_read_or_kept_is_said_in_one_line(run, write, text, tmp_path):
    bad, good = write("bad.txt", "# mine\nVERB has at most 1 nsub\n"), write("good.txt", "NOUN has at most 1 det")
    line = run("corpus", "validate", text, "--rules", bad, code=2)
    assert "bad.txt: line 2: there is no relation nsub; did you mean nsubj?" in line
    parse = "parse", text, "--out", tmp_path / "out.conllu", "--model"
    assert "line 2: there is no relation nsub" in run(*parse, "english", "--rules", bad, code=2)
    priced = write("priced.txt", "NOUN has at most 1 det = 0.9"), write("bad.conllu", "1\ta" + "\t_" * 8 + "\n\n")
    line = run(*parse, "english", "--rules", priced[0], "--prices-from", priced[1], code=2)
    assert "bad.conllu has no sentence all of whose words have heads, with relations" in line
    assert "give both, or neither" in run(*parse, "english", "--prices-from", text, code=2)
    run("parser", "train", text, "--labels", "none", "--epochs", "1", "--bits", "14", "--out", tmp_path / "m.npz")
    assert "has learnt no relations" in run(*parse, tmp_path / "m.npz", "--rules", good, code=2)
    tagged = write("plain.conllu", "1\tBirds\t_\t_\t_\t_\t2\tnsubj\t_\t_\n2\tsing\t_\t_\t_\t_\t0\troot\t_\t_\n\n")
    line = run("corpus", "validate", tagged, "--rules", good, code=2)
    assert "plain.conllu has no UPOS tags, of which the rule NOUN has at most 1 det speaks" in line
    round_about = "".join(f"{word}\tw\t_\tNOUN\t_\t_\t{head}\t_\t_\t_\n" for word, head in ((1, 2), (2, 1), (3, "_")))
    line = run("parse", write("round.conllu", round_about + "\n"), *parse[2:], "english", "--rules", good, code=2)
    assert "round.conllu, line 1" in line and "cycle" in line
    assert not (tmp_path / "out.conllu").exists()


def given_in_part(text, keep):
    """A text with the heads and relations of some words alone; ``keep(sentence, word)`` says of which."""
    rows = np.array([keep(index, word) for index, each in enumerate(text) for word in range(len(each.forms))])
    relations = np.where(rows, text.deprel.strings(), "")
    return text.with_heads(np.where(rows & text.is_word, text.heads, -1), relations.tolist())


@pytest.mark.parametrize("model", ["english", "universal"])
def test_arcs_that_are_given_stay_and_rules_are_kept_around_them(run, write, tmp_path, model):
    gold, rules = load_sample().limit(40), write("rules.txt", RULES + "NOUN has at most 1 amod\n")
    some, out = given_in_part(gold, lambda index, word: word % 4 == index % 4), tmp_path / "out.conllu"
    write_conllu(some, tmp_path / "some.conllu")
    command = "parse", tmp_path / "some.conllu", "--model", model, "--out", out, "--rules", rules
    data = run(*command, "--json")
    parsed = read_conllu(out)
    known = (some.heads >= 0) & some.is_word
    assert np.array_equal(parsed.heads[known], some.heads[known]) and data["given"]["sentences"] > 30
    assert (parsed.deprel.strings()[known] == some.deprel.strings()[known]).all()
    assert (parsed.heads[parsed.is_word] >= 0).all()
    clashing = {row["sentence"] for row in data["rules"]["sentences"] if row["clash"]}
    faults = run("corpus", "validate", out, "--rules", rules, "--json", code=FOUND)["faults"]
    own = {fault["sent_id"] for fault in faults if "the rule is:" in fault["message"]}
    assert own <= clashing and data["rules"]["searched"] >= 1
    run("parse", tmp_path / "some.conllu", "--model", model, "--out", tmp_path / "alone.conllu")
    alone = read_conllu(tmp_path / "alone.conllu")
    searched = {row["sentence"] for row in data["rules"]["sentences"]}
    for one, other in filled(list(zip(parsed, alone, strict=True))):
        assert one.sent_id in searched or one.heads.tolist() == other.heads.tolist()


def test_given_arcs_that_break_a_rule_are_named_with_it(run, write, conllu, tmp_path):
    rules = write("rules.txt", "VERB has at most 1 nsubj\nDET has no *\n")
    text = write("given.conllu", conllu("dogs/NOUN/_/3/nsubj cats/NOUN/_/3/nsubj sleep/VERB here/ADV"))
    out = tmp_path / "out.conllu"
    command = "parse", text, "--model", "english", "--rules", rules, "--out", out
    (row,) = run(*command, "--json")["rules"]["sentences"]
    assert row["clash"] == row["breaks"] == ["VERB has at most 1 nsubj"] and len(row["given"]) == 2
    sentence = read_conllu(out)[0]
    assert sentence.heads[1:3].tolist() == [3, 3] and list(sentence.deprels)[1:3] == ["nsubj", "nsubj"]
    said = [line for line in run(*command).splitlines() if "given.conllu, sentence 1" in line]
    assert said and "given head and relation of 2 " in said[0] and "cats" in said[0]
    assert said[0].endswith("with the rules VERB has at most 1 nsubj; its tree breaks rules at the fewest words")
    odd = write("odd.conllu", conllu("dogs/NOUN/_/3/agent cats/NOUN sleep/VERB here/ADV/_/3/obl"))
    run("parse", odd, *command[2:])
    assert [read_conllu(out)[0].deprels[word] for word in (1, 4)] == ["agent", "obl"]


def test_whole_trees_are_kept_and_only_checked(run, write, tmp_path):
    gold, out = load_sample().limit(30), tmp_path / "out.conllu"
    rules = write("rules.txt", "NOUN has at most 1 det\nNOUN has no amod\n")
    some = given_in_part(gold, lambda index, word: index % 2 == 0 or word == 1)
    write_conllu(some, tmp_path / "some.conllu")
    command = "parse", tmp_path / "some.conllu", "--model", "english", "--rules", rules, "--out", out, "--keep-trees"
    data = run(*command, "--json")["rules"]
    parsed = read_conllu(out)
    for index in filled(range(0, 30, 2)):
        assert parsed[index].heads.tolist() == gold[index].heads.tolist()
        assert list(parsed[index].deprels) == list(gold[index].deprels)
    broken = {
        each.sent_id
        for each in (gold[index] for index in range(0, 30, 2))
        if any(
            each.upos[head] == "NOUN" and name == "amod" for head, name in zip(each.heads, each.deprels, strict=True)
        )
    }
    assert data["kept"] == 15 and {row["sentence"] for row in data["faulty"]} == broken
    assert all(row["breaks"] == ["NOUN has no amod"] for row in data["faulty"]) and broken
    said = run(*command)
    assert f"15 whole trees kept, and only checked by the rules: {len(broken)} break one" in said
    assert f"sentence {data['faulty'][0]['sentence']}: its own tree breaks NOUN has no amod" in said


def test_prices_are_learnt_from_trees_or_follow_from_shares(run, write, text, tmp_path):
    rules, out = write("rules.txt", "NOUN has at most 1 amod = 0.95\n* has at most 1 obj\n"), tmp_path / "out.conllu"
    parse = "parse", text, "--model", "english", "--out", out
    (share,) = run(*parse, "--rules", rules, "--json")["rules"]["prices"]
    assert share["share"] == 0.95 and share["price"] >= 0
    data = run(*parse, "--rules", rules, "--prices-from", text, "--json")["rules"]
    amod, obj = data["prices"]
    assert amod["price"] is not None and amod["broken"] > 0 and (obj["price"], obj["share"]) == (None, None)
    said = run(*parse, "--rules", rules, "--prices-from", text)
    assert f"{amod['rule']}: broken at {amod['broken']} of {amod['words']} words" in said
    assert "* has at most 1 obj: broken at 0 of" in said and "so it is a law" in said
    written = write("written.txt", f"{amod['rule']}\n{obj['rule']}\n")
    assert run(*parse, "--rules", written, "--json")["rules"]["sentences"] == data["sentences"]


def test_relations_are_those_of_the_parser_too(run, write, text, tmp_path):
    odd = load_sample().limit(80)
    names = ["SBJ" if name == "nsubj" else name for name in odd.deprel.strings()]
    write_conllu(odd.with_heads(odd.heads, names), text)
    run("parser", "train", text, "--epochs", "1", "--bits", "14", "--out", tmp_path / "m.npz")
    parse = "parse", text, "--model", tmp_path / "m.npz", "--out", tmp_path / "out.conllu", "--json", "--rules"
    assert run(*parse, write("rules.txt", "VERB has at most 1 SBJ"))["rules"]["rules"] == 1
    line = run(*parse, write("other.txt", "VERB has at most 1 SBX"), code=2)
    assert "other.txt: line 1: there is no relation SBX; did you mean SBJ?" in line


def test_the_rules_that_ship_can_be_given_as_a_file(run, text, tmp_path):
    rules = "--rules", UNIVERSAL
    faults = run("corpus", "validate", text, *rules, "--json", code=FOUND)["faults"]
    assert not [fault for fault in faults if "rule is" in fault["message"]]
    parse = "parse", text, "--model", "english", "--out", tmp_path / "out.conllu", "--json"
    assert run(*parse, *rules)["rules"]["rules"] == len(universal_rules())
