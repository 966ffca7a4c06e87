"""Changes of trees, as the editor makes them."""

from core.workspace.annotate.steps import carry_out


def changed(layer, index, **step):
    """Carry out a step in a sentence of a layer."""
    annotation, revision = layer.get(index)
    layer.write(index, carry_out(annotation, step)[0], revision, "c", "changing")
