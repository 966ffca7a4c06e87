"""Items to loop over, of which there must be some."""


def filled(items):
    """The items as a list; fails where there are none, for a loop that asserts would then assert nothing."""
    items = list(items)
    assert items, "there is nothing to loop over"
    return items
