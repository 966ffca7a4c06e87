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
            arrays[_array_name(number, stage)] = file_array(parser)
    known = [{"name": one.name, "temperatures": [one.temperature, *one.joint_temperatures]} for one in schemes]
    save_arrays(target, KIND, {"schemes": known, **settings}, compressed=True, **arrays)


def read_schemes(path: str | Path | BinaryIO) -> tuple[tuple[Scheme, ...], Tagger | None, dict]:
    """(Schemes, Tagger or None, settings) of ``write_schemes``. Raises FormatError for any other file."""
    settings, arrays = load_arrays(path, KIND)
    with as_model(path):
        known = settings.pop("schemes")
        places = [
            [_array_name(number, stage) for stage in range(len(one["temperatures"]))]
            for number, one in enumerate(known)
        ]
        if missing := [name for names in places for name in names if name not in arrays]:
            raise FormatError(f"the joint model lacks {', '.join(missing)}; save it again")
        schemes = []
        for stored, names in zip(known, places, strict=True):
            baseline, *joints = (MSTParser.load(array_file(arrays[name])) for name in names)
            first, *later = stored["temperatures"]
            schemes.append(Scheme(stored["name"], baseline, first, tuple(joints), tuple(later)))
        tagger = Tagger.load(array_file(arrays[TAGGER])) if TAGGER in arrays else None
        return tuple(schemes), tagger, settings


def _array_name(number, stage):
    """The name of one parser's bytes: stage 0 is the baseline."""
    return f"parser_{number}_{stage}"
