"""What happens to files on their way: bytes flipped, lost, repeated, put elsewhere, and values that nobody expects."""

import hashlib
import io
import json
import random
import zipfile
import zlib
from collections.abc import Sequence

import numpy as np

PIECES = [
    b"\0", b"\t", b"\n", b"\r", b" ", b'"', b"'", b"(", b")", b"{", b"}", b"[", b"]", b"_", b"=", b"-", b"#", b"\\",
    b"\xff", b"\xef\xbb\xbf", b"\xff\xfe", b"\xf0\x9f\x98\x80", "\u202e\u2028\u0301".encode(), b"-1", b"0", b"1e999",
    b"nan", b"9" * 30, b"9" * 5000, b"x" * 2000, b"1-2", b"1.1", b"..", b"re\"(a|a)+\"", b"null", b"[]", b"{}", b"true",
    b"../../x", b"%s%n", b"http://127.0.0.1/", b"((((((((", b"<b>",
]  # fmt: skip
VALUES = [None, True, -1, 0, 1, 2**31, 2**70, 1e308, float("nan"), "", "x", "x" * 500, [], {}, [[]], ["x"], {"x": 1}]


def mutated(data: bytes, chance: random.Random, others: Sequence[bytes]) -> bytes:
    """Bytes with one to five things done to them."""
    for _ in range(chance.randrange(1, 6)):
        begin = chance.randrange(len(data) + 1)
        end = min(len(data), begin + chance.choice((1, 2, 5, 20, 200)))
        kind = chance.randrange(8)
        if kind == 0:
            data = data[:begin] + chance.randbytes(end - begin) + data[end:]
        elif kind == 1:
            data = data[:begin] + data[end:]
        elif kind == 2:
            data = data[:end] + data[begin:end] * chance.randrange(1, 4) + data[end:]
        elif kind in (3, 4):
            data = data[:begin] + chance.choice(PIECES) + data[begin if kind == 3 else end :]
        elif kind == 5:
            data = data[:begin]
        elif kind == 6:
            lines = data.split(b"\n")
            chance.shuffle(lines)
            data = b"\n".join(lines)
        else:
            other = chance.choice(others)
            data = data[:begin] + other[chance.randrange(len(other) + 1) :]
    return data


def mutated_zip(data: bytes, chance: random.Random, others: Sequence[bytes]) -> bytes:
    """A zip file of which one entry has changed, or its bytes; of an ``.npz`` an array or a setting."""
    if chance.random() < 0.3:
        return mutated(data, chance, others)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}
    name = chance.choice(sorted(entries))
    if name == "settings.npy":
        text = _array(entries[name]).tobytes()
        changed = _json(text, chance) if chance.random() < 0.8 else mutated(text, chance, [text])
        entries[name] = _bytes(np.frombuffer(changed, np.uint8))
    elif name.endswith(".npy") and chance.random() < 0.8:
        entries[name] = _bytes(_changed(_array(entries[name]), chance))
    elif name.endswith(".json") and chance.random() < 0.8:
        entries[name] = _json(entries[name], chance)
    else:
        entries[name] = mutated(entries[name], chance, [entries[name]])
    if chance.random() < 0.1:
        del entries[name]
    return _zipped(entries)


def mutated_backup(data: bytes, chance: random.Random, others: Sequence[bytes]) -> bytes:
    """A backup of which a row has changed, its manifest telling the new size and hash; or any change of a zip file."""
    if chance.random() < 0.3:
        return mutated_zip(data, chance, others)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}
    name = chance.choice(sorted(each for each in entries if each.endswith(".jsonl") and entries[each].strip()))
    rows = entries[name].splitlines()
    at = chance.randrange(len(rows))
    rows[at : at + 1] = chance.choice(([_json(rows[at], chance)], [rows[at]] * 2, []))
    entries[name] = b"\n".join(rows) + b"\n"
    manifest = json.loads(entries["manifest.json"])
    manifest["parts"][name] = {"size": len(entries[name]), "sha256": hashlib.sha256(entries[name]).hexdigest()}
    entries["manifest.json"] = json.dumps(manifest).encode()
    return _zipped(entries)


def mutated_json(data: bytes, chance: random.Random, others: Sequence[bytes]) -> bytes:
    """JSON of which a value has changed, or the bytes."""
    return mutated(data, chance, others) if chance.random() < 0.3 else _json(data, chance)


def _zipped(entries):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    return file.getvalue()


def mutated_zlib(data: bytes, chance: random.Random, others: Sequence[bytes]) -> bytes:
    """Packed bytes of which the content has changed, or they themselves."""
    if chance.random() < 0.3:
        return mutated(data, chance, others)
    return zlib.compress(mutated(zlib.decompress(data), chance, [zlib.decompress(each) for each in others]), 1)


def _array(data):
    return np.load(io.BytesIO(data), allow_pickle=False)


def _bytes(array):
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


@np.errstate(over="ignore", invalid="ignore")
def _changed(array, chance):
    kind = chance.randrange(6)
    if kind == 0:
        return array.astype(chance.choice(["f4", "f8", "i4", "i8", "u1", "u8", "U5", "?", "c16"]))
    if kind == 1:
        return array.reshape(-1)[: chance.randrange(array.size + 1)]
    if kind == 2:
        return array[None]
    if kind == 3:
        return np.concatenate([array.reshape(-1)] * 2)
    array = array.copy()
    if array.size and array.dtype.kind in "fiu":
        value = chance.choice([0, 1, 100, 2**31, 2**62] + [-1, np.nan, np.inf, -np.inf] * (array.dtype.kind == "f"))
        array.reshape(-1)[chance.randrange(array.size)] = np.array(value).astype(array.dtype)
    return array


def _json(text, chance):
    """JSON text with a value put in place of another, or left out."""
    value = json.loads(text)
    places = []

    def walk(node):
        for key in list(node) if isinstance(node, dict) else range(len(node)):
            places.append((node, key))
            if isinstance(node[key], (dict, list)):
                walk(node[key])

    walk(value)
    node, key = chance.choice(places)
    if chance.random() < 0.2:
        del node[key]
    else:
        node[key] = chance.choice(VALUES)
    return json.dumps(value).encode()
