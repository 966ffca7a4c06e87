"""The paper's own figures."""

# Table 1: sentences, tokens.
TABLE_1 = {
    "WSJ": (49_208, 1_028_347), "Section 23": (2_353, 48_201), "WSJ45": (48_418, 986_830),
    "WSJ15": (15_922, 163_715), "Brown100": (24_208, 391_796), "blog": (57_809, 1_136_659),
    "blog45": (56_191, 1_048_404), "blog15": (23_214, 212_872), "news45": (2_263_563_078, 32_119_123_561),
    "news15": (1_433_779_438, 11_786_164_503), "web45": (8_903_458_234, 87_269_385_640),
    "web15": (7_488_669_239, 55_014_582_024),
}  # fmt: skip

# Table 2: cut-off -> marked sentences, tokens, all and multi-token bracketings. 0 is the marked sentences, 57,809 all.
TABLE_2 = {
    1: (6_047, 149_483, 7_731, 6_015), 2: (4_934, 124_527, 6_482, 6_015), 3: (3_295, 85_423, 4_476, 4_212),
    4: (2_103, 56_390, 2_952, 2_789), 5: (1_402, 38_265, 1_988, 1_874), 6: (960, 27_285, 1_365, 1_302),
    7: (692, 19_894, 992, 952), 8: (485, 14_528, 710, 684), 9: (333, 10_484, 499, 479), 10: (245, 7_887, 365, 352),
    15: (42, 1_519, 65, 63), 20: (13, 466, 20, 20), 25: (6, 235, 10, 10), 30: (3, 136, 6, 6), 40: (0, 0, 0, 0),
}  # fmt: skip
BLOG_SENTENCES = 57_809

# Table 3: share of the bracketings in per cent, by the tags they cover.
TABLE_3 = {
    "NNP NNP": 16.1, "NNP": 8.3, "NNP NNP NNP": 5.4, "NN": 5.4, "JJ NN": 2.6, "DT NNP NNP": 1.8, "NNS": 1.8,
    "JJ": 1.5, "VBD": 1.3, "DT NNP NNP NNP": 1.2, "JJ NNS": 1.1, "NNP NN": 1.0, "NN NN": 1.0, "VBN": 0.8,
    "NNP NNP NNP NNP": 0.8,
}  # fmt: skip

# Table 4: share in per cent of the lowest phrase around a bracketing.
TABLE_4 = {
    "NP": 74.5, "VP": 12.9, "S": 6.8, "PP": 1.6, "ADJP": 0.9, "FRAG": 0.8, "ADVP": 0.5, "SBAR": 0.5, "PRN": 0.2,
    "NX": 0.2,
}  # fmt: skip

# Table 5: constituent productions and head-outward spawns, shares in per cent. The paper underlines the marked part,
# which its plain text does not show: the patterns stand without it.
TABLE_5_PRODUCTIONS = (
    ("NP → NNP NNP", 9.6), ("NP → NNP", 4.6), ("NP → NP PP", 3.4), ("NP → NNP NNP NNP", 2.4),
    ("NP → DT NNP NNP", 2.1), ("NP → NN", 1.8), ("NP → DT NNP NNP NNP", 1.7), ("NP → DT NN", 1.7),
    ("NP → DT NNP NNP", 1.6), ("S → NP VP", 1.4), ("NP → DT NNP NNP NNP", 1.2), ("NP → DT JJ NN", 1.1),
    ("NP → NNS", 1.0), ("NP → JJ NN", 0.8), ("NP → NP NP", 0.8),
)  # fmt: skip
TABLE_5_SPAWNS = {
    "NNP": 24.4, "NN": 8.1, "DT NNP": 6.1, "DT NN": 5.9, "NNS": 4.5, "NNPS": 1.4, "VBG": 1.3, "NNP NNP NN": 1.2,
    "VBD": 1.0, "IN": 1.0, "VBN": 1.0, "DT JJ NN": 0.9, "VBZ": 0.9, "POS NNP": 0.9, "JJ": 0.8,
}  # fmt: skip

# Table 7: marked sentences, all sentences, tokens, all and multi-token bracketings; "trimmed" are the primed rows.
TABLE_7 = {
    ("blog", 45, False): (5_641, 56_191, 1_048_404, 7_021, 5_346),
    ("blog", 45, True): (4_516, 4_516, 104_267, 5_771, 5_346),
    ("blog", 15, False): (1_562, 23_214, 212_872, 1_714, 1_240),
    ("blog", 15, True): (1_171, 1_171, 11_954, 1_288, 1_240),
    ("news", 45, False): (304_129_910, 2_263_563_078, 32_119_123_561, 611_644_606, 477_362_150),
    ("news", 45, True): (205_671_761, 205_671_761, 2_740_258_972, 453_781_081, 392_600_070),
    ("news", 15, False): (211_659_549, 1_433_779_438, 11_786_164_503, 365_145_549, 274_791_675),
    ("news", 15, True): (147_848_358, 147_848_358, 1_397_562_474, 272_223_918, 231_029_921),
    ("web", 45, False): (1_577_208_680, 8_903_458_234, 87_269_385_640, 3_309_897_461, 2_459_337_571),
    ("web", 45, True): (933_115_032, 933_115_032, 11_552_983_379, 2_084_359_555, 1_793_238_913),
    ("web", 15, False): (1_181_696_194, 7_488_669_239, 55_014_582_024, 2_071_743_595, 1_494_675_520),
    ("web", 15, True): (681_087_020, 681_087_020, 5_813_555_341, 1_200_980_738, 1_072_910_682),
}

# Section 5.3, per cent of all bracketings; phrase: they are constituents.
AGREEMENT = {"strict": 35.6, "loose": 87.5, "sprawl": 95.1, "tear": 98.9, "phrase": 48.0}

FIGURE_1_BEST = (8, 4.32)  # the start with the lowest cross-entropy on WSJ15, in bits per token

# Section 7: (INIT, GENRE, CONSTR, TRIM and ADAPT) -> accuracy on WSJ45 at SCOPE 0, 1, 2.
GRIDS = {
    ("uniform", "wsj", "none", False): (41.3, 45.0, 45.2), ("adhoc", "wsj", "none", False): (46.6, 47.5, 47.6),
    ("uniform", "blog", "none", False): (39.6, 36.9, 36.9), ("adhoc", "blog", "none", False): (46.5, 46.3, 46.4),
    ("adhoc", "blog", "none", True): (45.8, 48.3, 49.6), ("adhoc", "blog", "sprawl", True): (46.3, 49.2, 49.2),
    ("adhoc", "blog", "loose", True): (41.3, 50.2, 50.4), ("adhoc", "blog", "strict", True): (40.7, 49.9, 48.7),
    ("uniform", "news", "none", False): (40.2, 38.8, 38.7), ("adhoc", "news", "none", False): (43.4, 44.0, 43.8),
    ("adhoc", "news", "none", True): (46.6, 45.4, 45.2), ("adhoc", "news", "sprawl", True): (46.1, 44.9, 44.9),
    ("adhoc", "news", "loose", True): (49.5, 48.1, 48.3), ("adhoc", "news", "strict", True): (37.7, 36.8, 37.6),
    ("uniform", "web", "none", False): (38.3, 35.1, 35.2), ("adhoc", "web", "none", False): (42.8, 43.6, 43.4),
}  # fmt: skip
UNADAPTED = {  # section 7.2, "still using trimmed data sets": INIT 0, blog, TRIM 1
    "none": (25.6, 19.4, 19.3),
    "sprawl": (25.2, 22.7, 22.5),
    "loose": (32.4, 26.3, 27.3),
    "strict": (36.2, 38.7, 40.1),
}
WEB_SEQUENCES = ("DT NNS VBN", "NNP NNP NNP", "NN IN TO VB RB", "NN IN IN PRP$ JJ NN")  # section 7.4, the top four

# Section 7, the regression: coefficient, stars or p-value.
REGRESSION = {
    "INIT adhoc": (11.8, "***"), "GENRE blog": (-3.7, "0.06"), "GENRE news": (-5.3, "**"),
    "GENRE web": (-7.7, "***"), "SCOPE 15": (-0.5, "0.40"), "SCOPE 15-45": (-0.4, "0.53"),
    "CONSTR sprawl": (0.9, "0.23"), "CONSTR loose": (1.0, "0.15"), "CONSTR strict": (1.8, "*"),
    "TRIM": (-7.4, "***"), "ADAPT": (1.5, "**"), "intercept": (39.9, "***"),
}  # fmt: skip
ADJUSTED_R2 = 73.6

# Table 8: WSJ10, WSJ20, WSJ (section 23), Brown100.
TABLE_8 = {
    "Bilingual Log-Normals (Cohen & Smith 2009)": (62.0, 48.0, 42.2, None),
    "Leapfrog (Spitkovsky et al. 2010a)": (57.1, 48.7, 45.0, 43.6),
    "default": (55.9, 45.8, 41.6, 40.5),
    "WSJ-best": (65.3, 53.8, 47.9, 50.8),
    "blog-best": (69.3, 56.8, 50.4, 53.3),
    "news-best": (67.3, 56.2, 50.1, 51.6),
    "web-best": (64.1, 52.7, 46.3, 46.9),
    "EVG Smoothed, lexicalised (Headden et al. 2009)": (68.8, None, None, None),
}
REQUIRED_GAIN = 2.5  # 50.4 - 47.9
