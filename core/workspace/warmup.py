"""Getting the kernels ready in the background, so that the first Train does not wait for the compiler."""

import gc
import logging
import threading
import time
from collections.abc import Callable

from core.compilation.compiling import Warming, compiled_from_both_ends, compiler, kernels_of, ready_of

PAUSE = 2.0  # seconds in which the first page is sent: loading kernels would take the interpreter from the server
log = logging.getLogger(__name__)


class Warmup:
    """A daemon thread that makes the first kernels ready, once; ``done`` and ``error`` say how it stands."""

    def __init__(self):
        self._compiler = compiler()  # listens from now on
        self._lock = threading.Lock()
        self._begun = False
        self._ended = threading.Event()
        self._warming = None
        self.error = ""

    def start(self, then: Callable[[], object] | None = None) -> None:
        """Begin, unless it has begun. After the first page is drawn: the compiler serves one thread at a time.

        ``then`` is called in the same thread afterwards.
        """
        with self._lock:
            if not self._begun:
                self._begun = True
                threading.Thread(target=self._run, args=(then,), name="warm-up", daemon=True).start()

    @property
    def begun(self) -> bool:
        """Whether it was started."""
        return self._begun

    @property
    def done(self) -> bool:
        """Whether it has ended, with or without an error."""
        return self._ended.is_set()

    def wait(self, seconds: float | None) -> bool:
        """Whether it has ended, after waiting for that at most so many seconds."""
        return self._ended.wait(seconds)

    @property
    def compiling(self) -> tuple[int, int] | None:
        """(how many are ready, of at most how many) of these kernels while some are compiled; None otherwise."""
        if self.done or not self._compiler.at_work():
            return None
        return ready_of(kernels_of(self._warming))

    def _run(self, then):
        time.sleep(PAUSE)
        try:
            self._warming = first_needed()
            with compiled_from_both_ends(self._warming):
                self._warming.run()
        except Exception as error:  # nobody waits for this thread: the page shows ``error``
            log.exception("the kernels could not be made ready")
            self.error = f"Training may not work here: {type(error).__name__} while its kernels were made ready"
        finally:
            gc.collect()
            gc.freeze()  # half a million objects of modules and kernels, which every search for garbage would visit
            self._ended.set()
        if then is not None:
            try:
                then()
            except Exception:  # nor for this; a page that wants it asks for it again
                log.exception("what was to follow the kernels could not be made")


def first_needed() -> Warming:
    """What the pages and the first Train call. Loads all that learns from lines."""
    from core.constraints.warming import EXPECTATION, warm_authoring, warm_grammar, warm_training
    from core.parsers.warming import warm_induction

    return Warming((warm_training, warm_authoring, warm_grammar, warm_induction), EXPECTATION.modules)
