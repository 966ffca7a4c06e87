"""A parser with its induced features, as one thing to apply, save and load."""

import io

import numpy as np

from core.adaptation.correspondence import Projection
from core.adaptation.edges import SPECIAL, EdgeFeatures, Vocabulary
from core.errors import FormatError
from core.parsers import ADAPTED as KIND
from core.parsers.mst import MSTParser
from core.parsers.weights import load_arrays, save_arrays


class AdaptedParser:
    """An MSTParser that was trained with induced features, and the Projection that makes them of any text.

    Parameters
    ----------
    parser : MSTParser
    projection : Projection

    Examples
    --------
    >>> adapted = AdaptedParser(system.parser, system.correspondence.model)
    >>> adapted.save("adapted.npz")
    >>> AdaptedParser.load("adapted.npz").parse(text)  # or core.parsers.load_parser
    """

    def __init__(self, parser, projection):
        self.parser, self.projection = parser, projection

    def parse(self, treebank, threads=None):
        """The treebank with every tree and relation replaced by the parser's."""
        return self.parser.parse(treebank, extra=self.projection.induced, threads=threads)

    def score(self, treebank, threads=None):
        """As ``MSTParser.score``."""
        return self.parser.score(treebank, extra=self.projection.induced, threads=threads)

    @property
    def labelled(self):
        """Whether it has learnt relations."""
        return self.parser.labelled

    def unknown_tags(self, treebank):
        """As ``MSTParser.unknown_tags``."""
        return self.parser.unknown_tags(treebank)

    def save(self, target):
        """Write an ``.npz`` file, or into a binary file: numbers, settings and the words that induced features read;
        no sentences, no pickle."""
        projection, file = self.projection, io.BytesIO()
        self.parser.save(file)
        features = projection.features
        settings = {
            "columns": [vocabulary.column for vocabulary in features.vocabularies],
            "lowercase": [vocabulary.lowercase for vocabulary in features.vocabularies],
            "distance": features.distance,
            "standardize": projection.standardize,
            "scale": projection.scale,
            "directed": projection.directed,
        }
        words = {f"words_{at}": _joined(each.words[len(SPECIAL) :]) for at, each in enumerate(features.vocabularies)}
        save_arrays(
            target,
            KIND,
            settings,
            parser=np.frombuffer(file.getvalue(), dtype=np.uint8),
            directions=projection.directions,
            mean=projection.mean,
            deviation=projection.deviation,
            **words,
        )

    @classmethod
    def load(cls, source):
        """Read a parser that ``save`` wrote. Raises FormatError for any other file."""
        settings, arrays = load_arrays(source, KIND, required=("parser", "directions", "mean", "deviation", "words_0"))
        vocabularies = tuple(
            Vocabulary(column, (*SPECIAL, *_split(arrays[f"words_{at}"])), lowercase)
            for at, (column, lowercase) in enumerate(zip(settings["columns"], settings["lowercase"], strict=True))
        )
        features = EdgeFeatures(vocabularies, settings["distance"])
        if arrays["directions"].shape[0] != features.count:
            raise FormatError("the directions of this parser do not fit its words; save it again")
        projection = Projection(
            features,
            arrays["directions"],
            arrays["mean"],
            arrays["deviation"],
            **{name: settings[name] for name in ("standardize", "scale", "directed")},
        )
        return cls(MSTParser.load(io.BytesIO(arrays["parser"].tobytes())), projection)


def _joined(words):
    return np.frombuffer("\n".join(words).encode(), dtype=np.uint8)


def _split(data):
    text = data.tobytes().decode()
    return text.split("\n") if text else []
