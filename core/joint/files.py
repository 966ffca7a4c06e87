"""Joint parsers in one file: each scheme's parsers, a file within the file, and what belongs to them."""

from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

from core.errors import FormatError
from core.joint.rounds import Scheme
from core.parsers import MSTParser, Tagger
from core.parsers.weights import array_file, as_model, file_array, load_arrays, save_arrays

KIND = "joint"
TAGGER = "tagger"


def write_schemes(
    target: str | Path | BinaryIO, schemes: Sequence[Scheme], tagger: Tagger | None, settings: dict
) -> None:
    """Write Schemes, a Tagger or None, and JSON ``settings`` to a path or binary file; no pickle."""
    arrays = {} if tagger is None else {TAGGER: file_array(tagger)}
    for number, scheme in enumerate(schemes):
        for stage, parser in enumerate((scheme.baseline, *scheme.joints)):
            arrays[_place(number, stage)] = file_array(parser)
    known = [{"name": each.name, "temperatures": [each.temperature, *each.joint_temperatures]} for each in schemes]
    save_arrays(target, KIND, {"schemes": known, **settings}, compressed=True, **arrays)


def read_schemes(path: str | Path | BinaryIO) -> tuple[tuple[Scheme, ...], Tagger | None, dict]:
    """(Schemes, Tagger or None, settings) of ``write_schemes``. Raises FormatError for any other file."""
    settings, arrays = load_arrays(path, KIND)
    with as_model(path):
        known = settings.pop("schemes")
        places = [
            [_place(number, stage) for stage in range(len(each["temperatures"]))] for number, each in enumerate(known)
        ]
        if missing := [place for each in places for place in each if place not in arrays]:
            raise FormatError(f"the joint model lacks {', '.join(missing)}; save it again")
        schemes = []
        for each, own in zip(known, places, strict=True):
            baseline, *joints = (MSTParser.load(array_file(arrays[place])) for place in own)
            first, *later = each["temperatures"]
            schemes.append(Scheme(each["name"], baseline, first, tuple(joints), tuple(later)))
        tagger = Tagger.load(array_file(arrays[TAGGER])) if TAGGER in arrays else None
        return tuple(schemes), tagger, settings


def _place(number, stage):
    """The name of one parser's bytes: stage 0 is the baseline."""
    return f"parser_{number}_{stage}"
