"""The decorators of what Numba compiles.

Python calls a ``kernel``; only kernels of its own module call an ``inner_kernel``. That gets no entrance from Python,
which takes a sixth of the time to compile: Python that called it would crash, and ``tests/compilation/test_kernels.py``
sees to it that none does. Neither gets an entrance from C.
"""

from collections.abc import Callable
from typing import Any

from numba import njit, types
from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import Dispatcher

from core.compilation.kernel_cache import KernelCache

KERNEL = {"nogil": True, "no_cfunc_wrapper": True}


def kernel(function: Callable | None = None, **options: Any) -> Any:
    """A function that Numba compiles when it is first called, and keeps."""
    if function is None:
        return lambda function: kernel(function, **options)
    made = njit(**KERNEL, **options)(function)
    if isinstance(made, Dispatcher):  # with NUMBA_DISABLE_JIT it is the function itself
        _compile_once(made)
        _take_read_only(made)
        _keep(made)
    return made


def inner_kernel(function: Callable | None = None, **options: Any) -> Any:
    """The same for a function that only kernels of its module call."""
    return kernel(function, no_cpython_wrapper=True, **options)


def inlined_kernel(function: Callable) -> Any:
    """The same for a small function that LLVM inlines into its callers; Numba's own inlining compiles longer."""
    return inner_kernel(function, forceinline=True)


def is_ours(dispatcher: object) -> bool:
    """Whether a compiled function was made by these decorators, and not in somebody else's library."""
    return isinstance(getattr(dispatcher, "_cache", None), KernelCache)


def _keep(made):
    """Keep compiled forms in files as Numba's own ``cache=True`` does, but check the files."""
    made._cache = KernelCache(made.py_func)


def _compile_once(made):
    """Let kernels hand over constants, and integers of whatever size, without a compilation for each of them."""
    template = made.get_call_template

    def get_call_template(arguments, named):
        return template(tuple(map(_wide, arguments)), {name: _wide(kind) for name, kind in named.items()})

    made.get_call_template = get_call_template


def _wide(kind):
    kind = types.unliteral(kind)
    return types.int64 if kind in types.signed_domain else kind


def _take_read_only(made):
    """Let Python hand over arrays that may not be written to, those of treebanks, without a compilation for them.

    Numba sees another type in them. The form for arrays that may be written to is entered for this type, too; a kernel
    writes only into what its caller made for it.
    """
    compile_for, entered = made._compile_for_args, set()

    def _compile_for_args(*arguments):
        kinds = tuple(map(made.typeof_pyval, arguments))
        compiled = tuple(map(_writable, kinds))
        if compiled == kinds:
            return compile_for(*arguments)
        with global_compiler_lock:
            entry = made.compile(compiled)
            if kinds not in entered:
                made._insert([kind._code for kind in kinds], entry, False)
                entered.add(kinds)
        return entry

    made._compile_for_args = _compile_for_args


def _writable(kind):
    if isinstance(kind, types.BaseTuple):
        parts = tuple(map(_writable, getattr(kind, "types", ())))
        return types.BaseTuple.from_types(parts, getattr(kind, "instance_class", None))
    return kind.copy(readonly=False) if isinstance(kind, types.Array) else kind
