"""The files of compiled kernels, each with a digest: what is damaged is compiled again, and no work fails for it.

Numba believes its files. One that a machine cut short as it stopped, or that a failing disk changed, may raise
whatever a pickle raises, or LLVM's "Invalid encoding". It may compute something else, too. Where nothing can be
written, Numba raises. Here such a file counts as not there, and is written anew once its kernel is compiled.
"""

import hashlib
import io
import logging
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import BinaryIO

from numba.core.caching import FunctionCache, IndexDataCacheFile

from core.errors import quoted

DIGEST = hashlib.sha256
log = logging.getLogger(__name__)


class KernelCache(FunctionCache):
    """The compiled forms of one function: nothing that is wrong with their files is an error."""

    def __init__(self, function: Callable):
        super().__init__(function)
        files = self._cache_file
        self._cache_file = WholeFiles(files._cache_path, self._impl.filename_base, files._source_stamp)

    def load_overload(self, sig: object, target_context: object) -> object:
        """The compiled form of a signature; None where there is none, or none that can be read."""
        try:
            return super().load_overload(sig, target_context)
        except Exception as error:  # the file is whole, but written by another version of LLVM or of our classes
            _say_once(f"a compiled function in {self.cache_path} is of no use ({type(error).__name__})")
            return None

    def save_overload(self, sig: object, data: object) -> None:
        """Keep a compiled form; where it cannot be written, it is for this time only."""
        try:
            super().save_overload(sig, data)
        except OSError as error:
            self.disable()
            reason = quoted(error.strerror or error)
            _say_once(
                f"compiled functions cannot be kept in {self.cache_path} ({reason}); make room, or let it be written"
            )


class WholeFiles(IndexDataCacheFile):
    """An index and its data files, each followed by a digest of its name and all its bytes; pickles end before it."""

    def _load_index(self) -> dict:
        """Signature -> name of its data file; empty where the file is not whole, or names what is gone."""
        try:
            return super()._load_index() if self._is_whole(self._index_path) else {}
        except Exception as error:  # such as a class that was renamed
            _say_once(f"a compiled function in {self._cache_path} is of no use ({type(error).__name__})")
            return {}

    def _load_data(self, name: str) -> object:
        """What a data file holds. FileNotFoundError, which is expected of it, where it is not whole."""
        path = self._data_path(name)
        if not self._is_whole(path):
            raise FileNotFoundError(path)
        return super()._load_data(name)

    def _is_whole(self, path):
        try:
            data = Path(path).read_bytes()
        except FileNotFoundError:
            return False
        except OSError:  # it is a folder, or may not be read
            data = b""
        size = max(0, len(data) - DIGEST().digest_size)
        is_whole = _digest(path, data[:size]) == data[size:]
        if not is_whole:
            _say_once(f"compiled functions in {self._cache_path} are damaged, and are compiled again")
        return is_whole

    @contextmanager
    def _open_for_write(self, filepath: str) -> Iterator[BinaryIO]:
        made = io.BytesIO()
        yield made
        if Path(filepath).is_dir():  # only this cache uses such names
            shutil.rmtree(filepath)
        with super()._open_for_write(filepath) as file:
            file.write(made.getvalue() + _digest(filepath, made.getvalue()))


def _digest(path, data):
    return DIGEST(Path(path).name.encode() + data).digest()


@cache
def _say_once(sentence):
    log.warning("%s", sentence)
