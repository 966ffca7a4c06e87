"""The graph-based parser inside a spaCy pipeline, with its relations."""

import spacy
from spacy.tokens import Doc

import core.parsers.spacy_component  # noqa: F401 - registers the factory, as the entry point does where installed
from core.parsers import MSTParser
from core.treebank import Treebank

WORDS = ["the", "dog", "barks", "it", "slept"]
SENTENCES = [
    {"forms": WORDS[:3], "upos": ["DET", "NOUN", "VERB"], "heads": [2, 3, 0], "deprels": ["det", "nsubj", "root"]},
    {"forms": WORDS[3:], "upos": ["PRON", "VERB"], "heads": [2, 0], "deprels": ["nsubj", "root"]},
]


def test_heads_and_relations_survive_saving_the_pipeline(tmp_path):
    model = tmp_path / "parser.npz"
    MSTParser(2, bits=12, label_bits=10).fit(Treebank.from_sentences(SENTENCES * 2), epochs=5).save(model)
    nlp = spacy.blank("en")
    nlp.add_pipe("mst_parser", config={"model": str(model)})
    nlp.to_disk(tmp_path / "pipeline")
    for pipeline in (nlp, spacy.load(tmp_path / "pipeline")):
        doc = Doc(pipeline.vocab, words=WORDS, sent_starts=[True, False, False, True, False])
        for token, tag in zip(doc, ("DET", "NOUN", "VERB", "PRON", "VERB"), strict=True):
            token.pos_ = tag
        doc = pipeline.get_pipe("mst_parser")(doc)
        assert [token.head.i for token in doc] == [1, 2, 2, 4, 4]
        assert [token.dep_ for token in doc] == ["det", "nsubj", "ROOT", "nsubj", "ROOT"]
