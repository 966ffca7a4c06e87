"""Texts of many languages and scripts: which they are taken for, and where their sentences end."""

import re

import pytest

from core.languages.guessing import guess_language
from core.languages.names import UNKNOWN
from core.languages.tokenisers import cutting_of
from core.treebank.plain import read_text

# code, sentences with " | " between them, or "|" where no space is written, words of the first one
CUT = [
    ("en", "The boat's late. | “Why?” asked Ann. | It left at 5 p.m. from pier No. 4.", "The boat 's late ."),
    ("de", "Am 3. Mai kam Dr. Weiß. | „Warum?“, fragte sie. | Er war z. B. müde.", "Am 3. Mai kam Dr. Weiß ."),
    ("fr", "L’eau est froide. | « Pourquoi ? » demanda-t-elle. | Il n’a pas répondu.", "L’ eau est froide ."),
    ("cs", "Dne 12. března přijel vlak. | „Kde je?“ ptal se pes. | Nikdo nevěděl.", "Dne 12 . března přijel vlak ."),
    ("tr", "Kedi ağacın altında uyuyor. | Köpek nerede? | O da evin önünde yatıyor.", "Kedi ağacın altında uyuyor ."),
    ("yo", "Ajá náà ń sùn lábẹ́ igi. | Níbo ni ológbò wà? | Ó wà nínú ilé.", "Ajá náà ń sùn lábẹ́ igi ."),
    ("ru", "Кошка спит под деревом. | «Где собака?» — спросила она. | Никто не знал.", "Кошка спит под деревом ."),
    ("el", "Η γάτα κοιμάται εδώ. | Πού είναι ο σκύλος; | Κανείς δεν ξέρει.", "Η γάτα κοιμάται εδώ ."),
    ("hy", "Կատուն քնում է ծառի տակ։ | Որտե՞ղ է շունը։ | Ոչ ոք չգիտի։", "Կատուն քնում է ծառի տակ ։"),
    ("ka", "კატას სძინავს ხის ქვეშ. | სად არის ძაღლი? | არავინ იცის.", "კატას სძინავს ხის ქვეშ ."),
    ("ar", "القطة تنام تحت الشجرة. | أين الكلب؟ | لا أحد يعرف.", "القطة تنام تحت الشجرة ."),
    ("he", "החתול ישן מתחת לעץ. | איפה הכלב? | אף אחד לא יודע.", "החתול ישן מתחת לעץ ."),
    ("hi", "बिल्ली पेड़ के नीचे सो रही है। | कुत्ता कहाँ है? | कोई नहीं जानता।", "बिल्ली पेड़ के नीचे सो रही है ।"),
    ("am", "ድመቷ ከዛፉ ስር ተኝታለች። | ውሻው የት ነው፧ | ማንም አያውቅም።", "ድመቷ ከዛፉ ስር ተኝታለች ።"),
    ("ko", "고양이가 나무 아래에서 잔다. | 개는 어디에 있니? | 아무도 모른다.", "고양이가 나무 아래에서 잔다 ."),
]  # fmt: skip


# the same of scripts without spaces, and what is said where no extra is installed
UNSPACED = [
    (
        "zh",
        "猫在树下睡觉。|“狗在哪里？”她问道。|没有人知道！",
        "Chinese is cut into characters, each of them a word: .*parser-workbench.chinese",
    ),
    (
        "ja",
        "猫は木の下で寝ている。|「犬はどこ？」と彼女は聞いた。|誰も知らない！",
        "Japanese is cut into sentences.*parser-workbench.japanese",
    ),
    ("my", "ကြောင်သည် သစ်ပင်အောက်တွင် အိပ်နေသည်။ | ခွေးသည် အိမ်ရှေ့တွင် အိပ်နေသည်။", "Burmese is written without spaces"),
    ("km", "ឆ្មាកំពុងដេកនៅក្រោមដើមឈើ។ | ឆ្កែកំពុងដេកនៅមុខផ្ទះ។", "Khmer is written without spaces"),
    ("th", "แมวนอนหลับอยู่ใต้ต้นไม้ในสวนหลังบ้าน", "Thai is cut into sentences, and not into words.*parser-workbench.thai"),
]


@pytest.fixture
def no_extras(monkeypatch):
    """No segmenter is installed, whatever the machine has."""
    monkeypatch.setattr("core.extras.find_spec", lambda name: None)
    cutting_of.cache_clear()
    yield
    cutting_of.cache_clear()


def cut(text):
    """(Treebank of a text written as above, contractions left whole, the texts that its sentences should have)."""
    data = text.replace(" | ", " ").replace("|", "").encode()
    return read_text(data, contractions=None), [part.strip() for part in text.split("|")]


@pytest.mark.parametrize(("language", "text", "words"), CUT, ids=[row[0] for row in CUT])
def test_a_paragraph_is_cut_by_the_rules_of_its_language(language, text, words):
    treebank, expected = cut(text)
    assert treebank[0].comment("lang") == language
    assert [sentence.text for sentence in treebank] == expected
    assert treebank.warnings == ()
    assert " ".join(treebank[0].forms[1:]) == words


@pytest.mark.parametrize(("language", "text", "said"), UNSPACED, ids=[row[0] for row in UNSPACED])
def test_what_is_not_cut_into_words_is_cut_into_sentences_and_said(no_extras, language, text, said):
    treebank, expected = cut(text)
    assert treebank[0].comment("lang") == language
    assert [sentence.text for sentence in treebank] == expected
    (warning,) = treebank.warnings
    assert re.match(said, warning)


def test_a_few_greek_letters_are_greek():
    assert [guess_language(text).answer for text in ("Τι; Ναι.", "αβ", "Yes.")] == ["el", UNKNOWN, UNKNOWN]
