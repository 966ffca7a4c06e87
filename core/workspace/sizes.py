"""About how many bytes a value takes, with all that it refers to."""

import gc
import sys
from types import BuiltinFunctionType, CodeType, FrameType, FunctionType, ModuleType

import numpy as np

MOST = 64  # of a container's elements that are looked at: the others are taken to be like them
OBJECTS = 20_000  # that are looked at in all
NONE_OF_ITS_OWN = (type, ModuleType, CodeType, FrameType, BuiltinFunctionType)


def size_of(value: object, outside: tuple[type, ...] = (), seen: set[int] | None = None) -> int:
    """Bytes of a value and what it refers to, each once: arrays exactly, large containers by some of their elements.

    Parameters
    ----------
    value : object
    outside : tuple of type
        Instances of these count nothing.
    seen : set of int, optional
        The ``id`` of what was counted before and counts nothing now; what counts here is added. What it names must
        live as long as it is used.

    At most ``OBJECTS`` objects are looked at: milliseconds, however long arrays and strings are.
    """
    seen = set() if seen is None else seen
    excluded, total, looked = (*NONE_OF_ITS_OWN, *outside), 0.0, 0
    waiting: list[tuple[object, float]] = [(value, 1.0)]  # with how many it stands for
    while waiting and looked < OBJECTS:
        each, times = waiting.pop()
        if id(each) in seen or isinstance(each, excluded):
            continue
        seen.add(id(each))
        looked += 1
        parts = _parts(each)
        total += times * _own(each)
        step = len(parts) // MOST + 1
        if step > 1:
            times *= len(parts) / len(parts[::step])
        waiting += [(part, times) for part in parts[::step]]
    return round(total)


def _own(each):
    """Bytes of an object alone."""
    if isinstance(each, np.ndarray):
        return each.nbytes if each.base is None else 0
    return sys.getsizeof(each)


def _parts(each) -> list:
    """What an object refers to."""
    if isinstance(each, np.ndarray):
        if each.dtype.hasobject:
            return [*each.ravel().tolist(), each.base]
        return [] if each.base is None else [each.base]
    if isinstance(each, str | bytes | int | float | None):
        return []
    if isinstance(each, FunctionType):  # and not all of its module
        return [cell.cell_contents for cell in each.__closure__ or () if _is_full(cell)]
    if isinstance(each, dict):  # whose keys the search for garbage leaves out where they are strings
        return [*each, *each.values()]
    return gc.get_referents(each)


def _is_full(cell):
    try:
        return cell.cell_contents is not None
    except ValueError:
        return False
