"""A process that reads pages for ``page_process``, which may kill it: ``python -m core.shards.page_worker``.

Each request is a line of JSON on standard input, followed by the marks of blocks seen before; each page has a message
on standard output. The operating system limits time and memory, which no page can evade.
"""

import json
import os
import struct
import sys
from functools import cache
from itertools import chain, islice
from typing import BinaryIO

import numpy as np

from core.errors import quoted
from core.languages.words import WordSplitter
from core.markup.partial import SIZE, Partial
from core.markup.reader import Extracting, PageReader, ReadPage
from core.markup.sources import Limits
from core.processes.limits import NO_MEMORY, limit_memory, limit_time
from core.shards.inputs import Input, PageBatch

LENGTH = struct.Struct("<II")  # bytes of a message's JSON and of its arrays
DTYPES = (
    ("lengths", np.int32), ("blocks", np.uint64), ("forms", np.int32), ("starts", np.int32),
    ("bracket_counts", np.int32), ("firsts", np.int32), ("lasts", np.int32), ("marks", np.int32),
)  # fmt: skip


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer requests until there are no more."""
    splitter = cache(WordSplitter)
    for line in requests:
        request = json.loads(line)
        settings = Extracting(**{**request["settings"], "limits": Limits(**request["settings"]["limits"])})
        seen = requests.read(SIZE * request["seen"])
        partial = Partial(seen={seen[start : start + SIZE] for start in range(0, len(seen), SIZE)})
        reader = PageReader(settings, partial, splitter)
        reader.load()
        part = PageBatch(tuple(Input(*one) for one in request["inputs"]), request["begin"], request["end"])
        _read_part(part, request, reader, answers)


def _read_part(part, request, reader, answers):
    words, marks = _Numbers(), _Numbers()
    documents = enumerate(part.documents(reader.settings.limits))
    limit_memory(request["memory"])
    while True:
        limit_time(request["seconds"])
        number, document = next(documents, (None, None))
        if document is None:
            limit_time(None)  # waiting for the next part does not count
            limit_memory(None)
            _send(answers, {"end": True})
            return
        if number < request["first"]:
            continue
        source = getattr(document, "name", None) or getattr(document, "source", "")
        _send(answers, {"begin": number, "source": source[:300]})
        try:
            page = reader.read(document, lambda: False)
        except MemoryError:
            raise  # too little memory would be left for the next pages
        except Exception as error:  # an error skips this page alone
            _send(answers, {"failed": f"it cannot be read: {type(error).__name__}: {quoted(str(error))}"})
            continue
        _send(answers, *_message(page or ReadPage("", source), reader, words, marks))


def _message(page, reader, words, marks):
    """(JSON, arrays) of a page."""
    sentences = page.sentences
    brackets = [bracket for sentence in sentences for bracket in sentence.brackets]
    arrays = {
        "lengths": [len(sentence.forms) for sentence in sentences],
        "blocks": np.frombuffer(b"".join(sentence.block or bytes(SIZE) for sentence in sentences), np.uint64),
        "forms": words.of(chain.from_iterable(sentence.forms for sentence in sentences)),
        "starts": list(chain.from_iterable(sentence.starts for sentence in sentences)),
        "bracket_counts": [len(sentence.brackets) for sentence in sentences],
        "firsts": [bracket.start for bracket in brackets],
        "lasts": [bracket.end - 1 for bracket in brackets],
        "marks": marks.of(bracket.tag or "" for bracket in brackets),
    }
    head = {"source": page.source, "language": page.language, "report": reader.last_report.as_dict()}
    head |= {"words": words.new(), "mark_names": marks.new(), "seen": b"".join(sorted(reader.last_seen)).hex()}
    head["sizes"] = [len(array) for array in arrays.values()]
    return head, b"".join(np.asarray(arrays[name], dtype).tobytes() for name, dtype in DTYPES)


class _Numbers:
    """A number for each distinct text, in order of first occurrence."""

    def __init__(self):
        self.numbers, self.sent = {}, 0

    def of(self, texts):
        numbers = self.numbers
        return [numbers.setdefault(text, len(numbers)) for text in texts]

    def new(self):
        """The texts that are new since the last call."""
        texts = list(islice(reversed(self.numbers), len(self.numbers) - self.sent))[::-1]
        self.sent = len(self.numbers)
        return texts


def _send(answers, head, arrays=b""):
    data = json.dumps(head).encode()
    answers.write(LENGTH.pack(len(data), len(arrays)) + data + arrays)
    answers.flush()


if __name__ == "__main__":
    try:
        serve(sys.stdin.buffer, sys.stdout.buffer)
    except MemoryError:
        os._exit(NO_MEMORY)
