"""The meaning of each HTML element to a reader of prose."""

import re


def _names(text):
    return frozenset(text.split())


PAGE = -1  # in place of the number of a start tag: an html or body that no tag began
DEFAULT_TAGS = ("a", "b", "strong", "i", "em", "u")

FOREIGN = _names("svg math")
VOID = _names("area base br col embed hr img input link meta param source track wbr")

# A sentence never runs on from one of these into the next: those that the HTML standard (section 15.3) shows as blocks.
BLOCKS = _names(
    "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption "
    "figure footer form frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html legend li listing main menu nav ol "
    "p plaintext pre search section summary table tbody td tfoot th thead tr ul xmp"
)

# Why an element's text is no prose, whatever it says.
NO_PROSE = {
    **dict.fromkeys(_names("head title"), "head"),
    **dict.fromkeys(_names("script style template noscript noframes"), "script"),
    **dict.fromkeys(_names("pre xmp listing plaintext"), "code"),
    **dict.fromkeys(_names("svg math canvas object applet audio video iframe noembed map"), "media"),
    "del": "deleted",
    **dict.fromkeys(_names("select option optgroup datalist button textarea legend"), "form"),
    **dict.fromkeys(_names("h1 h2 h3 h4 h5 h6"), "heading"),
    **dict.fromkeys(_names("rt rp rtc"), "reading"),  # of a word in small letters above it
    "sup": "footnote mark",  # where it is one
}
CODE = _names("code kbd samp tt var")
KNOWN = CODE | BLOCKS - VOID | _names("ruby")  # whose ends matter
PHRASES = _names("abbr big cite font label q rp rt rtc small span sub sup time")  # what holds no paragraphs
IN_HEAD = _names("base basefont bgsound head link meta noframes noscript script style template title")

NO_HINTS = _names("html body main article a b strong i em u")  # never dropped for what they are called
HINT = re.compile(r"hidden|popover|role|display|visibility|class|\bid\b", re.IGNORECASE)  # worth reading the attributes
HIDING = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)

# Page furniture by its elements, by roles, and by names of classes and ids.
ROLES = "navigation banner contentinfo search menu menubar toolbar tablist dialog alertdialog complementary"
NAMES = (
    "nav navbar navigation menu submenu topnav subnav sitenav breadcrumb breadcrumbs pagination pager sidebar side-bar "
    "footer site-footer page-footer masthead skip-link skiplink toc cookie cookies cookie-notice cookie-banner "
    "share sharing share-buttons social social-links newsletter-signup related related-links related-posts tags "
    "tag-list tagcloud post-meta byline dateline permalink sppermalink advertisement advert ads screen-reader-text "
    "visually-hidden sr-only mw-editsection reflist navbox catlinks noprint"
)
FURNITURE = (  # the same as CSS selectors, in the order in which they are shown
    *sorted(_names("nav menu footer search")),
    *(f'[role="{role}"]' for role in ROLES.split()),
    *(f"{sign}{name}" for name in NAMES.split() for sign in ".#"),
)

# Pictures and formulas (section 13.2.6.5): starting one of these ends them, unless one of the others stands between.
BREAKOUT = _names(
    "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta "
    "nobr ol p pre ruby s small span strike strong sub sup table tt u ul var"
)
INTEGRATED = _names("annotation-xml desc foreignobject mi mn mo ms mtext title")
SCOPE = INTEGRATED | _names("applet button caption html marquee object select table td template th")

# Starting one of these ends the innermost open one of the first set, unless one of the second stands between.
IMPLIED_ENDS = {
    **dict.fromkeys(BLOCKS - _names("html head body"), (_names("p"), SCOPE)),
    "li": (_names("p li"), SCOPE | _names("ul ol menu dir")),
    **dict.fromkeys(_names("dt dd"), (_names("p dt dd"), SCOPE | _names("dl"))),
    **dict.fromkeys(_names("td th"), (_names("td th"), _names("table"))),
    "tr": (_names("tr"), _names("table")),
    **dict.fromkeys(_names("option optgroup"), (_names("option"), _names("select"))),
    **dict.fromkeys(_names("rt rp"), (_names("rt rp"), _names("ruby rtc"))),
    **dict.fromkeys(_names("rb rtc"), (_names("rt rp rtc"), _names("ruby"))),
}
