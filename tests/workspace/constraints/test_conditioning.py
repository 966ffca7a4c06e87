"""The universal parser for a text of a project: its first trees, and how little an answer makes it read."""

from dataclasses import replace

import numpy as np
import pytest

from core.parsers.self_training import concatenate
from core.parsers.universal.network import Network
from core.workspace.constraints.conditioning import conditioned_parser, first_tree, loaded, nearest_words
from core.workspace.languages import change_language
from tests.advising import short_sentences, written_bare


@pytest.fixture
def text(add, systems):
    """Sentences without trees, as the grammar is trained on them."""
    return systems["grammar"].text(add("bare.conllu", written_bare(short_sentences())))


def answering(text, order):
    return replace(text, settings=replace(text.settings, word_order=order))


def test_a_first_tree_is_what_the_parser_says_of_the_sentence(workspace, text):
    text, index = answering(text, "adposition=after"), 4
    parser = conditioned_parser(workspace, text.corpus, text.key, text.sentences, text.settings)
    sentence = text.treebank.select(np.array([index]))
    parsed, found = parser.parse(sentence), first_tree(workspace, text, index)
    np.testing.assert_array_equal(found.heads, parsed.heads)
    assert found.relations == parsed.deprel.strings().tolist()
    np.testing.assert_array_equal(found.probabilities, parser.marginals(sentence)[1][0])


def test_the_language_that_a_text_names_answers_what_is_open(workspace, systems, add):
    bare = written_bare(short_sentences())
    corpus = add("irish.conllu", "".join(f"# lang = ga\n{each}\n\n" for each in bare.strip().split("\n\n")))
    plain, irish = systems["grammar"].text(add("bare.conllu", bare)), systems["grammar"].text(corpus)
    names = list(loaded(workspace).sources.names)
    own = loaded(workspace).sources.answers[names.index("Irish")]
    parser = conditioned_parser(workspace, corpus, irish.key, irish.sentences, irish.settings)
    np.testing.assert_allclose(parser.language.answers[~np.isnan(own)], own[~np.isnan(own)])
    assert nearest_words(workspace, irish).startswith("Irish is among the sources: its own word order answers what you")
    assert nearest_words(workspace, plain).startswith("Most like ")
    assert nearest_words(workspace, plain).endswith(" and 3 more; these answer what you leave open.")  # six are asked
    chosen = replace(irish, settings=replace(irish.settings, kin=("Dutch",)))
    assert nearest_words(workspace, chosen) == "Most like Dutch; these answer what you leave open."
    before = first_tree(workspace, irish, 0)
    changed = replace(irish, corpus=change_language(workspace.store, corpus, "unknown"))
    assert (
        nearest_words(workspace, changed) == nearest_words(workspace, plain)
        and first_tree(workspace, changed, 0) is not before
    )
    np.testing.assert_array_equal(first_tree(workspace, changed, 0).heads, first_tree(workspace, plain, 0).heads)


def test_a_small_text_is_told_what_all_texts_of_its_language_are_like(workspace, systems, add):
    some = written_bare(short_sentences()).strip().split("\n\n")
    one, two = (change_language(workspace.store, add(f"{n}.conllu", "\n\n".join(part) + "\n\n"), "sw")
                for n, part in enumerate((some[:2], some[2:])))  # fmt: skip
    text = systems["grammar"].text(one)
    told, parser = nearest_words(workspace, text), loaded(workspace)
    together = parser.nearest(workspace.treebank(one), workspace.treebank(two))
    pooled = parser.nearest(concatenate(workspace.treebank(one), workspace.treebank(two)))
    assert [each.name for each in together] == [each.name for each in pooled]
    assert f"all texts of Swahili together are most like {', '.join(each.name for each in together[:3])}." in told
    assert told.endswith(
        f"by those like this text: {', '.join(each.name for each in parser.nearest(text.sentences)[:3])}."
    )
    workspace.store.remove_corpus(two.id)
    assert nearest_words(workspace, text).startswith("Most like ")


def test_after_an_answer_the_networks_read_the_shown_sentence_once(workspace, text, monkeypatch):
    first_tree(workspace, text, 0)
    read, plain = [], Network.read

    def counted(network, words, *rest):
        read.append(len(words))
        return plain(network, words, *rest)

    monkeypatch.setattr(Network, "read", counted)
    now = answering(text, "object=before")
    tree, former = first_tree(workspace, now, 0), first_tree(workspace, now, 0, "")
    assert read == [1] * len(loaded(workspace).networks) and tree.moved_from(former) >= 0
    assert first_tree(workspace, text, 0) is former
