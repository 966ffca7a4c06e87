"""What a page under AppTest says."""


def said(elements):
    """The words of elements, such as ``app.caption``, in one line."""
    return " ".join(str(element.value) for element in elements)
