"""A cluster in this process: what would travel to its workers is packed and unpacked, and so is what comes back."""

from core.shards import LocalEngine
from core.shards.engine import pack, unpack
from core.threads import limited_to


class ApartEngine(LocalEngine):
    """Takes the place of ``Cluster`` where the question is what travels, not between which processes.

    ``asked`` is what it was made with.
    """

    def __init__(self, address=None, workers=None, cache=None):
        super().__init__(cache)
        self.asked = address, workers

    def __enter__(self):
        return self

    def __exit__(self, *problem):
        pass

    def each(self, function, pieces, *shared, **watch):
        """As ``Engine.each`` says."""
        return super().each(_work, [pack((function, piece)) for piece in pieces], pack(shared), **watch)


def _work(packed, shared):
    function, piece = unpack(packed)
    with limited_to(1):
        return unpack(pack(function(piece, *unpack(shared))))
