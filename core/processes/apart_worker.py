"""A process that calls one function for ``core.processes.apart`` and ends: ``python -m core.processes.apart_worker``.

Both ways go messages: a length, JSON, and the byte strings whose sizes it names under ``parts``. Standard input brings
the call. From then on a byte on it asks the function to stop, and its end, which is that of who called, ends this
process. Standard output takes reports and then the answer; what a library prints goes nowhere.
"""

import contextlib
import json
import os
import struct
import threading
import traceback
from collections.abc import Sequence
from importlib import import_module
from typing import BinaryIO

from core.errors import Cancelled, WorkbenchError
from core.processes.limits import NO_MEMORY, limit_memory, limit_time
from core.threads import lower_priority

LENGTH = struct.Struct("<Q")
STOP = b"s"


class Apart:
    """What a function that is called apart is given: it reports, and asks whether to stop.

    Parameters
    ----------
    answers : file
    seconds : float or None
        Of work between two reports.
    """

    def __init__(self, answers: BinaryIO, seconds: float | None):
        self._answers, self._seconds = answers, seconds
        self._stopped = threading.Event()

    def report(self, value: dict, parts: Sequence[bytes] = ()) -> None:
        """Hand over a dict of what JSON can say, and byte strings, and begin the time limit anew."""
        send(self._answers, {"report": value}, parts)
        if self._seconds is not None:
            limit_time(self._seconds)

    def cancelled(self) -> bool:
        """Whether who called wants the function to end, by an answer or by ``Cancelled``."""
        return self._stopped.is_set()

    def listen(self, requests: BinaryIO) -> None:
        """Wait for the word to stop, and end the process with the one that asked; in a thread of its own."""
        while requests.read(1):
            self._stopped.set()
        os._exit(0)


def send(stream: BinaryIO, head: dict, parts: Sequence[bytes] = ()) -> None:
    """Write a message to a buffered file. Raises BrokenPipeError where nobody reads it any more."""
    data = json.dumps({**head, "parts": [len(part) for part in parts]}).encode()
    for piece in (LENGTH.pack(len(data)), data, *parts):
        stream.write(piece)
    stream.flush()


def received(stream: BinaryIO) -> tuple[dict, list[bytes]]:
    """Read a message from a buffered file. Raises EOFError where it ends first."""
    (size,) = LENGTH.unpack(_exactly(stream, LENGTH.size))
    head = json.loads(_exactly(stream, size))
    return head, [_exactly(stream, size) for size in head["parts"]]


def _exactly(stream, size):
    data = stream.read(size)
    if len(data) < size:
        raise EOFError
    return data


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer one call: with ``{"answer": value}`` and parts, or with what went wrong."""
    call, parts = received(requests)
    apart = Apart(answers, call["seconds"])
    threading.Thread(target=apart.listen, args=(requests,), daemon=True).start()
    with contextlib.suppress(WorkbenchError):  # the calling process has reported a wrong setting
        lower_priority()
    module, _, name = call["function"].partition(":")
    function = getattr(import_module(module), name)
    limit_memory(call["memory"])
    limit_time(call["seconds"])
    try:
        value, parts = function(apart, parts, **call["arguments"])
        send(answers, {"answer": value}, parts)
    except MemoryError:
        raise
    except Cancelled:
        send(answers, {"cancelled": True})
    except WorkbenchError as error:
        send(answers, {"refused": described(error)})
    except Exception as error:
        send(answers, {"failed": "".join(traceback.format_exception(error))})


def described(error: WorkbenchError) -> dict:
    """A WorkbenchError as JSON: the names of its classes, its sentence, and its facts, such as a line."""
    facts = {name: value for name, value in vars(error).items() if isinstance(value, str | int | float | None)}
    return {"classes": [kind.__name__ for kind in type(error).__mro__], "message": str(error), "facts": facts}


def main() -> None:
    """Serve on standard input and output, which nobody else may write to."""
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    os.dup2(nowhere, 1)
    try:
        serve(requests, answers)
    except MemoryError:
        os._exit(NO_MEMORY)
    except BrokenPipeError:
        os._exit(0)  # nobody waits for it
    os._exit(0)  # no library's farewell takes time that is limited


if __name__ == "__main__":
    main()
