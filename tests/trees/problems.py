"""Random scores for the decoders of higher order, as Hypothesis draws them."""

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

elements = st.one_of(
    st.sampled_from([0.0, 1.0, -1.0, -np.inf]),  # ties and forbidden parts
    st.floats(-30, 30),
    st.sampled_from([-1000.0, 1000.0, 999.5]),
)


@st.composite
def problems(draw, *wanted):
    """[scores, sibling scores, grandparent scores] of a sentence of 1 to 5 words, one for each of up to three flags.

    Where a flag is not set there is a None.
    """
    side = draw(st.integers(2, 6))
    shapes = (side,) * 2, (side,) * 3, (side,) * 3
    return [
        draw(arrays.arrays(np.float64, shape, elements=elements)) if want else None
        for shape, want in zip(shapes, wanted, strict=False)
    ]


def random_problems(rng, sides):
    """[scores, sibling scores, grandparent scores] of each of several sentences."""
    return [[rng.normal(size=(side,) * rank) for rank in (2, 3, 3)] for side in sides]
