"""An estimate of the bytes that a value takes, with all that it refers to."""

import gc
import sys
from types import BuiltinFunctionType, CodeType, FrameType, FunctionType, ModuleType

import numpy as np

MOST = 64  # elements of a container that are measured: the others count as much on average
OBJECTS = 20_000  # measured in all
SHARED = (type, ModuleType, CodeType, FrameType, BuiltinFunctionType)


def size_of(value: object, outside: tuple[type, ...] = (), seen: set[int] | None = None) -> int:
    """Bytes of a value and all that it refers to, each once: arrays exactly, large containers by a sample.

    Parameters
    ----------
    value : object
    outside : tuple of type
        Instances of these do not count.
    seen : set of int, optional
        The ``id`` of objects that were counted before, which do not count again; those counted here are added. The
        objects must live as long as the set is used.

    At most ``OBJECTS`` objects are measured, in milliseconds.
    """
    seen = set() if seen is None else seen
    excluded, total, looked = (*SHARED, *outside), 0.0, 0
    waiting: list[tuple[object, float]] = [(value, 1.0)]  # (an object, how many it stands for)
    while waiting and looked < OBJECTS:
        item, times = waiting.pop()
        if id(item) in seen or isinstance(item, excluded):
            continue
        seen.add(id(item))
        looked += 1
        parts = _parts(item)
        if not isinstance(item, np.ndarray):
            total += times * sys.getsizeof(item)
        elif item.base is None:
            total += times * item.nbytes
        step = len(parts) // MOST + 1
        if step > 1:
            times *= len(parts) / len(parts[::step])
        waiting += [(part, times) for part in parts[::step]]
    return round(total)


def _parts(item) -> list:
    """The objects that an object refers to."""
    if isinstance(item, np.ndarray):
        if item.dtype.hasobject:
            return [*item.ravel().tolist(), item.base]
        return [] if item.base is None else [item.base]
    if isinstance(item, str | bytes | int | float | None):
        return []
    if isinstance(item, FunctionType):  # without the globals of its module
        return [cell.cell_contents for cell in item.__closure__ or () if _is_full(cell)]
    if isinstance(item, dict):  # get_referents leaves out the keys of a dict of strings
        return [*item, *item.values()]
    return gc.get_referents(item)


def _is_full(cell):
    try:
        return cell.cell_contents is not None
    except ValueError:
        return False
