"""Joint parsers in one file: each scheme's parsers, a file within the file, and what belongs to them."""

import io
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import numpy as np

from core.errors import FormatError, WorkbenchError
from core.joint.rounds import Scheme
from core.parsers import MSTParser, Tagger
from core.parsers.weights import load_arrays, save_arrays
from core.treebank import Treebank

if TYPE_CHECKING:
    from core.joint.parser import JointParser

KIND = "joint"
TAGGER = "tagger"


def write_schemes(
    target: str | Path | BinaryIO, schemes: Sequence[Scheme], tagger: Tagger | None, settings: dict
) -> None:
    """Write Schemes, a Tagger or None, and JSON ``settings`` to a path or binary file; no pickle."""
    arrays = {} if tagger is None else {TAGGER: _inner(tagger)}
    for number, scheme in enumerate(schemes):
        for stage, parser in enumerate((scheme.baseline, *scheme.joints)):
            arrays[_place(number, stage)] = _inner(parser)
    known = [{"name": each.name, "temperatures": [each.temperature, *each.joint_temperatures]} for each in schemes]
    save_arrays(target, KIND, {"schemes": known, **settings}, compressed=True, **arrays)


def read_schemes(path: str | Path | BinaryIO) -> tuple[tuple[Scheme, ...], Tagger | None, dict]:
    """(Schemes, Tagger or None, settings) of ``write_schemes``. Raises FormatError for any other file."""
    settings, arrays = load_arrays(path, KIND)
    known = settings.pop("schemes")
    places = [
        [_place(number, stage) for stage in range(len(each["temperatures"]))] for number, each in enumerate(known)
    ]
    if missing := [place for each in places for place in each if place not in arrays]:
        raise FormatError(f"the joint model lacks {', '.join(missing)}; save it again", path=path)
    schemes = []
    for each, own in zip(known, places, strict=True):
        baseline, *joints = (MSTParser.load(_opened(arrays[place])) for place in own)
        first, *later = each["temperatures"]
        schemes.append(Scheme(each["name"], baseline, first, tuple(joints), tuple(later)))
    tagger = Tagger.load(_opened(arrays[TAGGER])) if TAGGER in arrays else None
    return tuple(schemes), tagger, settings


class OneScheme:
    """A JointParser where one scheme's trees are wanted: ``parse(treebank)``, as any parser has it.

    ``scheme`` is a name, or a number from 1; by default the first. Raises WorkbenchError where there is no such scheme.
    """

    def __init__(self, joint: "JointParser", scheme: str | None = None):
        self.joint, self.names = joint, tuple(each.name for each in joint.schemes)
        numbers = {str(at): at - 1 for at in range(len(self.names), 0, -1)} | {
            name: at for at, name in enumerate(self.names)
        }
        if scheme is not None and scheme not in numbers:
            listed = ", ".join(f"{at} {name}" for at, name in enumerate(self.names, 1))
            raise WorkbenchError(f"the joint model has no scheme {scheme!r}; choose of {listed}")
        self.number = numbers[scheme] if scheme is not None else 0

    name = property(lambda self: self.names[self.number])

    @property
    def labelled(self) -> bool:
        """Whether the scheme's trees come with relations."""
        return self.joint.schemes[self.number].baseline.labelled

    def parse(self, treebank: Treebank) -> Treebank:
        """The text under the scheme's trees, found together with all others'; tagged first where that is needed."""
        found = self.joint.parse(self.joint.tagged(treebank)).treebank(self.number)
        return treebank.with_heads(found.heads, found.deprel)


def _place(number, stage):
    """The name of one parser's bytes: stage 0 is the baseline."""
    return f"parser_{number}_{stage}"


def _inner(parser):
    file = io.BytesIO()
    parser.save(file)
    return np.frombuffer(file.getvalue(), dtype=np.uint8)


def _opened(data):
    return io.BytesIO(data.tobytes())
