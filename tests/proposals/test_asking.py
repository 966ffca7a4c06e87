"""A prompt has all that an answer needs, and an answer that echoes its examples is read without them."""

import numpy as np

from core.annotation.label_inventories import LabelInventories
from core.proposals import adopt, example_trees, prompt, read_answer
from core.treebank import load_sample
from tests.filled import filled


def test_a_prompt_has_examples_sentences_tags_and_relations():
    sample = load_sample()
    examples, asked = example_trees(sample.limit(20)), [30, 31]
    text = prompt(sample, asked, examples, LabelInventories.of(sample), "English")
    assert "each of the 2 sentences below, in English" in text
    assert all(sample[index].text in text for index in filled(asked))
    assert all(f"\t{relation}\t" in text for relation in filled({*examples.deprel.strings()} - {""}))
    assert "nsubj, " in text
    assert "ADP, " in text
    assert text.count("\troot\t") == len(examples) == 3
    assert text.endswith("\t_\t_\t_\t_\n")


def test_examples_differ_in_their_relations():
    sample = load_sample().limit(40)
    relations = [{*sentence.deprels} for sentence in sample]
    chosen = example_trees(sample)
    most = len({*chosen.deprel.strings()})
    first = len({*relations[0], *relations[1], *relations[2]})
    assert most > first
    assert (chosen.lengths <= 25).all()


def test_examples_are_whole_trees():
    sample = load_sample().limit(2)
    heads = sample.heads.copy()
    heads[1] = -1
    assert example_trees(sample.with_heads(heads, sample.deprel)).picks.tolist() == [1]
    bare = sample.with_heads(np.full(len(heads), -1))
    assert len(example_trees(bare)) == 0


def test_an_answer_that_repeats_the_examples_has_no_trees_of_them():
    sample = load_sample()
    examples = example_trees(sample.limit(20))
    text = prompt(sample, [25], examples)
    asked = sample[25]
    rows = [f"{k} {asked.forms[k]} {asked.heads[k]} {asked.deprels[k]}" for k in range(1, len(asked) + 1)]
    answer = text[: text.index("Sentences to draw")] + f"# sent_id = 26\n{chr(10).join(rows)}\n"
    assert adopt(sample, read_answer(answer)).used.tolist() == [25]
