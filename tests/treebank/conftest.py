"""Fixtures for reading real treebanks."""

import numba
import pytest


@pytest.fixture(scope="session")
def large_files(shared_data):
    """``shared_data``, for tests that read too much of it for kernels that are not compiled."""
    if numba.config.DISABLE_JIT:
        pytest.skip("reads whole treebanks, which takes minutes without the compiler")
    return shared_data
