"""The meaning of each HTML element to a reader of prose."""

import re


def _names(text):
    return frozenset(text.split())


DEFAULT_TAGS = ("a", "b", "strong", "i", "em", "u")

FOREIGN = _names("svg math")
VOID = _names("area base br col embed hr img input link meta param source track wbr")

# A sentence never runs on from one of these into the next.
BLOCKS = _names(
    "address article aside blockquote body br caption center dd details dialog dir div dl dt fieldset figcaption "
    "figure footer form frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html legend li listing main menu nav ol "
    "optgroup option p plaintext pre search section select summary table tbody td textarea tfoot th thead "
    "title tr ul xmp"
)

# Why an element's text is no prose, whatever it says.
NO_PROSE = {
    **dict.fromkeys(_names("head title"), "head"),
    **dict.fromkeys(_names("script style template noscript noframes"), "script"),
    **dict.fromkeys(_names("nav menu footer search"), "navigation"),
    **dict.fromkeys(_names("pre xmp listing plaintext"), "code"),
    **dict.fromkeys(_names("svg math canvas object applet audio video iframe noembed map"), "media"),
    **dict.fromkeys(_names("select option optgroup datalist button textarea legend"), "form"),
    **dict.fromkeys(_names("h1 h2 h3 h4 h5 h6"), "heading"),
}
CODE = _names("code kbd samp tt var")
FOOTNOTE_MARK = re.compile(r"[\[(]?(?:\d{1,3}|[*†‡§¶#]+|[a-z])[\])]?")

NO_HINTS = _names("html body main article a b strong i em u")  # never dropped for what they are called
HINT = re.compile(r"hidden|role|display|visibility|class|\bid\b", re.IGNORECASE)  # worth reading the attributes
HIDING = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
ROLES = _names("navigation banner contentinfo search menu menubar toolbar tablist dialog alertdialog complementary")
NAMES = _names(
    "nav navbar navigation menu submenu topnav subnav sitenav breadcrumb breadcrumbs pagination pager sidebar side-bar "
    "footer site-footer page-footer masthead skip-link skiplink toc cookie cookies cookie-notice cookie-banner "
    "share sharing share-buttons social social-links newsletter-signup related related-links related-posts tags "
    "tag-list tagcloud post-meta byline dateline permalink sppermalink advertisement advert ads screen-reader-text "
    "visually-hidden sr-only mw-editsection reflist navbox catlinks noprint"
)

# Starting one of these ends the innermost open one of the first set, unless one of the second stands between.
IMPLIED_ENDS = {
    **dict.fromkeys(BLOCKS - _names("br html head body"), (_names("p"), _names("table button"))),
    "li": (_names("p li"), _names("ul ol menu dir")),
    **dict.fromkeys(_names("dt dd"), (_names("p dt dd"), _names("dl"))),
    **dict.fromkeys(_names("td th"), (_names("td th"), _names("table"))),
    "tr": (_names("tr"), _names("table")),
    **dict.fromkeys(_names("option optgroup"), (_names("option"), _names("select"))),
}
