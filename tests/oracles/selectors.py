"""What selectors choose of a page, by BeautifulSoup alone; imports nothing from core."""

from bs4 import BeautifulSoup, Tag


def words_read(html, select, drop):
    """The words of a page that are in elements of ``select`` (anywhere, where it is empty), and in none of ``drop``."""
    soup = BeautifulSoup(html, "lxml")
    read, dropped = (set(map(id, soup.select(text))) if text else set() for text in (select, drop))
    words = []
    for string in soup.find_all(string=True):
        around = {id(tag) for tag in string.parents if isinstance(tag, Tag)}
        if (not select or around & read) and not around & dropped:
            words += string.split()
    return words


def marked_words(html, marks):
    """(name, words) of the elements that ``marks`` chooses and that hold a word, in order."""
    chosen = BeautifulSoup(html, "lxml").select(marks)
    return [(tag.name, tag.get_text().split()) for tag in chosen if tag.get_text().split()]
