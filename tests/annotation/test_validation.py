"""Faults: each rule on a sentence that breaks it and nothing else, and none on trees that are right."""

import random

import pytest

from core.annotation import SentenceAnnotation
from core.annotation.apply import annotated
from core.annotation.guidelines import guideline_faults
from core.annotation.label_inventories import (
    RELATIONS,
    SUBTYPES,
    UPOS,
    UPOS_KEYS,
    LabelInventories,
    base,
    keys_for,
    subtype_keys,
)
from core.annotation.validation import RARE, Validation, problems, validate
from core.treebank import Treebank, load_sample, read_conllu
from tests.steps import grows_in_proportion

SAMPLE = load_sample()
ROSTERS = LabelInventories.of(SAMPLE)


BARE = "1\ta\t_\t{}\t_\t_\t_\t_\t_\t_\n\n"


def of(*words):
    """An Annotation of words given as "form UPOS head relation"."""
    rows = [word.split() for word in words]
    n = len(rows) + 1
    forms, tags, _, relations = ([row[place].replace("_", "") for row in rows] for place in range(4))
    heads, nothing = (-1, *(int(row[2]) for row in rows)), ("",) * n
    return SentenceAnnotation(("", *forms), heads, ("", *relations), ("", *tags), nothing, nothing, nothing)


def kinds(annotation, rosters=ROSTERS):
    return [(fault.word, fault.kind) for fault in problems(annotation, rosters)]


GOOD = ("The DET 2 det", "sea NOUN 3 nsubj", "came VERB 0 root", ". PUNCT 3 punct")


def test_a_right_tree_has_no_fault():
    assert kinds(of(*GOOD)) == []


def test_the_tag_of_a_fixed_expression_is_asked_for():
    faults = problems(of("go VERB 0 root", "by ADP 1 advmod", "far ADV 2 fixed", "on ADP 1 advmod"), ROSTERS)
    of_whole, of_word = [fault.message for fault in faults if fault.kind == "tag and relation"]
    assert "ExtPos in its features says of the whole fixed expression" in of_whole and "ExtPos" not in of_word


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (("a X 0 root", "b X 0 root"), [(2, "several roots")]),
        (("a X 2 dep", "b X 1 dep"), [(1, "cycle")]),
        (("a X 2 dep", "b X 3 dep", "c X 1 dep", "d X 0 root"), [(1, "cycle")]),
        (("a X 0 root", "b X -1 _"), [(2, "no head")]),
        (("a X 0 root", "b X 1 _"), [(2, "no relation")]),
        (("a X 0 root", "b X 1 root"), [(2, "root relation")]),
        (("a X 0 root", "b X 1 subj"), [(2, "relation")]),
        (("a NN 0 root",), [(1, "UPOS")]),
        (("and CCONJ 2 conj", "b X 0 root"), [(1, "direction")]),
        (("a ADP 3 case", "b NOUN 1 obj", "c NOUN 0 root"), [(2, "function word with dependents")]),
        (("a NOUN 2 det", "b NOUN 0 root"), [(1, "tag and relation")]),
        (("a NOUN 2 punct", "b NOUN 0 root"), [(1, "tag and relation")]),
        ((". PUNCT 2 dep", "b NOUN 0 root"), [(1, "tag and relation")]),
        (("a PRON 2 case", "b NOUN 0 root"), [(1, "tag and relation")]),
        (("a NOUN 3 nsubj", "b NOUN 3 nsubj:pass", "c VERB 0 root"), [(2, "repeated")]),
        (("a NOUN 3 nsubj", "b NOUN 3 nsubjpass", "c VERB 0 root"), [(2, "relation"), (2, "repeated")]),
        (("a NOUN 3 nsubj", "b NOUN 1 obl", "c VERB 0 root"), [(2, "obl of a nominal")]),
        (("a X 0 root", "b _ 1 dep"), [(2, "no UPOS")]),
        (("a X 3 dep", ". PUNCT 4 punct", "c X 0 root", "d X 3 dep"), [(2, "crossing punctuation")]),
    ],
)
def test_each_rule_finds_what_breaks_it(words, wanted):
    assert kinds(of(*words)) == wanted


def test_what_a_function_word_may_have():
    assert kinds(of("just ADV 2 advmod", "before SCONJ 3 mark", "came VERB 0 root")) == []
    assert kinds(of("as ADP 3 case", "of ADP 1 fixed", "May PROPN 0 root")) == []
    assert (2, "repeated") not in kinds(of("a NOUN 3 nsubj", "b NOUN 3 nsubj:outer", "c VERB 0 root"))


@pytest.mark.parametrize(
    ("text", "said"),
    [("Case", "no list"), ("Case=Nom|Case=Acc", "twice"), ("Number=Sing|Case=Nom", "alphabetical"), ("Odd=X", "Odd")],
)
def test_features(text, said):
    annotation = of(*GOOD)
    annotation = SentenceAnnotation(**{**vars(annotation), "feats": ("", "", text, "", "")})
    rosters = LabelInventories(ROSTERS.relations, ROSTERS.upos, {"Case=Nom": 9, "Number=Sing": 7}, True)
    assert [fault.kind for fault in problems(annotation, rosters)] == ["features"]
    assert said in problems(annotation, rosters)[0].message


def test_the_sample_is_nearly_right_and_every_message_is_one_line():
    found = validate(SAMPLE)
    assert {fault.kind for _, fault in found} <= {"crossing punctuation", "rare relation"}
    assert len(found) < 12
    assert not any("\n" in fault.message for _, fault in found)


def test_rosters_tell_ud_from_other_schemes():
    assert ROSTERS.universal
    assert ROSTERS.relation_names[0] == "punct" and "goeswith" in ROSTERS.relation_names
    penn = Treebank.from_sentences([{"forms": ["a", "b"], "heads": [0, 1], "deprels": ["ROOT", "SUBJ"]}] * 3)
    rosters = LabelInventories.of(penn)
    assert not rosters.universal and rosters.relation_names == ["ROOT", "SUBJ"]
    assert validate(penn) == []
    bare = LabelInventories.of(Treebank.from_sentences([{"forms": ["a"]}]))
    assert bare.universal and bare.relation_names == list(RELATIONS)
    heads_only = Treebank.from_sentences([{"forms": ["a", "b"], "heads": [0, 1]}])
    assert validate(heads_only) == []


@pytest.mark.parametrize("odd", [["dobj"], ["dobj", "dobj"], ["dobj", "nn"]])
def test_a_few_odd_relations_do_not_switch_the_rules_off(odd):
    relations = ["root", "det", "nsubj", "obj", *odd]
    bank = Treebank.from_sentences(
        [{"forms": relations, "heads": [0] + [1] * (len(relations) - 1), "deprels": relations}]
    )
    assert [fault.message.split()[0] for _, fault in validate(bank) if fault.kind == "relation"] == odd
    mostly = Treebank.from_sentences(
        [{"forms": ["a", "b", "c"], "heads": [0, 1, 1], "deprels": ["root", "SBJ", "OBJ"]}]
    )
    assert not LabelInventories.of(mostly).universal


GRAPHS = "".join(
    f"# sent_id = {name}\n1\tshe\t_\tPRON\t_\tCase=Nom\t2\tnsubj\t2:nsubj\t_\n"
    f"2\tcame\t_\tVERB\t_\t_\t0\troot\t0:{relation}\t_\n\n"
    for name, relation in [("a", "root"), ("b", "orphan"), ("b", "root"), ("c", "root")]
)


@pytest.mark.parametrize(
    "bank",
    [SAMPLE.select(range(60)), SAMPLE, read_conllu(GRAPHS.encode())],
    ids=["few", "long enough for rare relations", "graphs"],
)
def test_after_corrections_the_faults_are_those_of_the_whole_treebank(bank):
    """Some sentences are corrected, some of them back; only they are checked anew, and all is as if checked whole."""
    draw, now, validation, before, whole = random.Random(0), bank, Validation.of(bank), {}, 0
    assert (bank.token_count >= RARE) == (bank is SAMPLE)
    for _ in range(12):
        index = draw.randrange(len(bank))
        was = before.setdefault(index, SentenceAnnotation.of(now[index]))
        changed = {name: list(getattr(was, name)[1:]) for name in ("deprels", "upos", "feats", "heads")}
        word = draw.randrange(len(was))
        changed[draw.choice(("deprels", "upos"))][word] = draw.choice(("det", "rare", "VERB", "", "root"))
        changed["heads"][word] = draw.choice((0, changed["heads"][word]))
        annotation = draw.choice((was, was.with_values(changed)))
        now = annotated(now, {index: annotation})
        checked = validation.after(now, [index])
        validation, whole = (Validation.of(now), whole + 1) if checked is None else (checked, whole)
        assert validation.faults == validate(now)
    assert whole < 12


def test_labels_of_another_scheme_ask_for_all_sentences_anew():
    bank = SAMPLE.select(range(3))
    other = bank.with_heads(bank.heads, bank.deprel.with_values({row: "SBJ" for row in range(len(bank.heads))}))
    assert Validation.of(bank).after(other, [0]) is None


def test_every_relation_has_a_key_of_its_own():
    keys = keys_for(RELATIONS)
    assert len(set(keys.values())) == len(RELATIONS) and all(len(key) == 1 for key in keys.values())
    assert keys["punct"] == "p" and keys["nsubj"] == "n"
    many = keys_for([f"r{number}" for number in range(60)])
    assert list(many.values()).count("") == 60 - 52
    assert base("nsubj:pass") == "nsubj"


def test_graphs_that_name_no_word_are_told_at_theirs():
    words = ("1", "2\tdep\t2:dep|9:dep"), ("2", "0\troot\t0:root|2.1:dep"), ("2.1", "_\t_\t7:dep")
    text = "".join(f"{number}\ta\t_\tX\t_\t_\t{rest}\t_\n" for number, rest in words)
    found = [(index, fault.word) for index, fault in validate(read_conllu(text.encode())) if "DEPS" in fault.kind]
    assert found == [(0, 1), (0, 2)]
    bank = read_conllu(text.encode())
    assert not [fault for _, fault in validate(bank.with_heads([-1, 0, 1])) if "DEPS" in fault.kind]  # written no more


def crossing(heads, relations):
    """(word, rule) of punctuation that crosses, by walking up from each word."""

    def above(word):
        path = [word]
        while path[-1] > 0 and heads[path[-1]] not in path:
            path.append(heads[path[-1]])
        return path

    found, words = set(), range(1, len(heads))
    for mark in (word for word in words if relations[word] == "punct" and above(word)[-1] == 0):
        head = heads[mark]
        for word in words:
            low, high = min(word, heads[word]), max(word, heads[word])
            inside = low > head if head < mark else high < head
            if word != head and heads[word] > 0 and heads[word] not in above(mark) and low < mark < high and inside:
                found.add((mark, "punct-causes-nonproj"))
        between = range(min(mark, head) + 1, max(mark, head)) if head else ()
        if any(head not in above(word) and above(word)[-1] == 0 for word in between):
            found.add((mark, "punct-is-nonproj"))
    return found


def drawn(chance, size):
    heads = [-1, *(chance.choice([-1, *range(size + 1), *range(size + 1)]) for _ in range(size))]
    heads = tuple(0 if head == word else head for word, head in enumerate(heads))
    none = ("",) * (size + 1)
    relations = ("", *(chance.choice(["punct", "dep", "root"]) for _ in range(size)))
    return SentenceAnnotation(none, heads, relations, none, none, none, none)


def test_punctuation_crosses_as_by_walking_up_from_each_word():
    chance = random.Random(1)
    for _ in range(2000):
        annotation = drawn(chance, chance.randrange(1, 8))
        found = {(fault.word, fault.test) for fault in guideline_faults(annotation) if "nonproj" in fault.test}
        assert found == crossing(annotation.heads, annotation.deprels)


def test_a_long_sentence_of_punctuation_takes_time_in_proportion():
    def chain(size):
        none = ("",) * (size + 1)
        heads = (-1, *range(size))
        return (SentenceAnnotation(none, heads, ("", *["punct"] * size), none, none, none, none),)

    assert grows_in_proportion(lambda annotation: list(guideline_faults(annotation)), chain, 50)


def test_a_head_of_any_number_of_digits_in_an_enhanced_graph_is_named():
    text = f"1\ta\t_\tX\t_\t_\t0\troot\t{'1' * 5000}:dep\t_\n\n"
    assert "unknown-ehead" in [fault.test for _, fault in validate(read_conllu(text.encode()))]


def test_a_tag_has_its_letter_in_every_text_and_others_get_what_is_left():
    keys = keys_for(["ADP", "NC", "NOUN", "NPP"], UPOS_KEYS)
    assert keys == {"ADP": "a", "NC": "c", "NOUN": "n", "NPP": "p"}
    assert len(set(UPOS_KEYS.values())) == len(UPOS) and set(UPOS_KEYS) == set(UPOS)
    assert not {"c", "r"} & set(UPOS_KEYS.values())  # keys that the frame of the pages has
    few, many = (LabelInventories.of(read_conllu(text.encode())) for text in (BARE.format("NOUN"), BARE.format("X")))
    assert dict(few.upos_keys) == dict(many.upos_keys)


def test_subtypes_are_those_of_the_texts_and_of_ud():
    text = "1\ta\t_\tNOUN\t_\t_\t0\troot\t_\t_\n2\tb\t_\tNOUN\t_\t_\t1\tobl:far\t_\t_\n\n"
    own, other = (LabelInventories.of(read_conllu(each.encode())) for each in (BARE.format("NOUN"), text))
    assert subtype_keys([own, other])["obl"] == [
        ("obl:far", "f"), ("obl:agent", "a"), ("obl:arg", "r"), ("obl:lmod", "l"), ("obl:tmod", "t"),
    ]  # fmt: skip
    assert set(subtype_keys([own])) == {name.partition(":")[0] for name in SUBTYPES} <= set(RELATIONS)
