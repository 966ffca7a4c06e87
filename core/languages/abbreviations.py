"""Abbreviations with a full stop, in any language or in single ones: titles, words, units, and before numbers."""

import re

UNITS = re.compile(
    r"h|min|sec?|km|cm|mm|m|kg|mg|g|l|cl|ml|ha|t|kW|V|W|ft|lbs?|oz|uhr|std|"
    r"ч|мин|кг|км|см|мм|г|л|т|га|руб"
)
_TITLES = "mrs?|ms|drs?|st|cpl|hr|frl?|sr|sra|srta|mme|mlle|dott"  # no words in small letters, with a stop
_BEFORE_NAMES = "rev|hon|profs?|gen|col|maj|capt|lt|sgt|gov|sen|messrs|ing|dipl|mag"
TITLES = re.compile(rf"{_TITLES}|{_BEFORE_NAMES}")
TITLED = re.compile(f"{_TITLES}|{_BEFORE_NAMES}|univ".title())  # in small letters words of other languages
TITLES_IN = {  # language -> its titles, which never end a sentence
    "ar": "د|أ|م", "ca": "sr|sra|dr|dra|prof", "cs": "prof|doc|ing|mgr|dr|sv", "da": "hr|fr|prof",
    "de": "prof|dr|hr|fr|frl|hl", "el": "κ|κα|κκ|κος|δρ|καθ|αγ|dr", "es": "dña|dra|sr|sra|srta|prof|lic|ing|sto|sta",
    "et": "hr|pr|prof|dr", "fi": "prof|tri|hra|rva", "gl": "sr|sra|dr|dra|prof", "hr": "prof|dr|gđa|gđica|sv|mr",
    "hu": "dr|prof|ifj|id|özv|szt", "id": "ny|tn|dr|prof|bpk|sdr|yth|ir|drs|kh|hj",
    "it": "sig|sigg|sigra|dott|prof|ing|avv|on", "lt": "prof|doc|dr", "lv": "prof|dr", "mk": "д-р|проф",
    "ms": "en|pn|dr|prof", "nl": "mevr|mw|dhr|prof|dr|drs|ds|ir", "no": "hr|fr|prof",
    "pl": "prof|dr|hab|inż|mgr|ks|bp|abp|św|gen|płk|mjr|kpt|doc", "pt": "dra?|sra?|prof|profa|eng|exmo|sto|sta",
    "ro": "dl|dna|dra|dr|prof|ing|sf", "ru": "проф|акад|св|г-н|г-жа|доц|ген|гр", "sk": "prof|doc|ing|mgr|dr|sv",
    "sl": "prof|dr|ga|gdč|sv|mag|doc", "sq": "znj|prof|dr", "sr": "проф|др|гђа|св|prof|dr", "sv": "hr|fr|prof",
    "ta": "திரு|திருமதி|டாக்டர்", "tr": "prof|doç|dr|av|sn|yrd|hz", "uk": "проф|акад|св|доц|ген",
    "bg": "проф|акад|св|доц|инж|г-н|г-жа", "vi": "TS|ths|PGS|GS|BS|TP|GSTS|KS", "cy": "dr|parch", "ga": "dr|uas",
    "eu": "jn|and|dr",
}  # fmt: skip
SHORT = re.compile(  # abbreviations that never end a sentence, and are no words in any language
    r"cf|vs|viz|eds|approx|dept|ibid|etc|ecc|bzw|vgl|usf|sog|bspw|evtl|inkl|zzgl|ggf|etw|aprox|tzv|např|napr|npr|pvz|"
    r"tj|resp|np|bijv|esim|örn|bkz|κλπ|βλ|tzn|пр|др|см|ср|напр|нпр"
)
SHORT_IN = {  # language -> its abbreviations that are words in other languages
    "en": "ed|trans|al|op|cit|ca|messrs", "de": "al|ca|bd|hrsg|jh|mio|mrd|tel|ev|kath|geb|gest|verh",
    "fr": "al|op|cit|ca|env|apr|av", "es": "op|cit|ca|av|avda|apdo|gral|núm|tel", "it": "op|cit|ca|sec|tel|pag|pagg|es",
    "pt": "av|núm|pág|tel|op|cit", "sv": "ca|bl|dvs|kl", "da": "ca|bl|kl|ang", "nb": "ca|bl|kl", "no": "ca|bl|kl",
    "nl": "ca|nl|jl|blz|tel", "pl": "ul|al|pl|os|godz|tys|mln|mld|woj|pow|tel|im|ok|wg|tzw",
    "cs": "ul|nám|tř|hod|tis|mil|tel|tzv|mj|kupř|okr|stol", "sk": "ul|nám|hod|tis|mil|tel|tzv|okr|stor",
    "ru": "им|ул|тыс|млн|млрд|обл|пер|пл|гг|вв|кв|корп|просп|тел", "uk": "ім|вул|тис|млн|млрд|обл|пл|кв|тел",
    "bg": "ул|бул|хил|млн|млрд|обл|пл|тел|гр", "sr": "ул|бр|тел|ul|br", "hr": "ul|br|tel|čl|sv|tzv",
    "sl": "ul|št|tel|čl|tim", "hu": "kb|pl|ill|ún|vö|tel", "tr": "cad|mah|yy|çev|haz|mim",
    "el": "σελ|αρ|οδ|τηλ|εκ|χλμ", "ro": "str|nr|bd|jud|ex|tel|art|alin", "fi": "ks|ns|mm|puh|klo|vrt|os",
    "et": "nt|lk|vt|tel|tn|sh", "lt": "gyv|tūkst|mln|mlrd|tel|str|šv", "lv": "iel|lpp|tūkst|milj|piem|tālr",
    "id": "jl|no|tgl|hlm|kab|kec|kel|tel", "ms": "jln|no|hlm|tel", "vi": "tx|tt", "kk": "млрд|млн|мың",
    "ca": "av|núm|pàg|tel|pl", "gl": "av|núm|páx|tel", "eu": "adib", "is": "bls|nr|kr|tel|sbr",
    "hy": "դդ|թթ|հմ|պրոֆ|դոկ",
}  # fmt: skip
BEFORE_NUMBERS = re.compile(
    r"nos?|pp?|vols?|figs?|sect?|chaps?|ch|art|nr|núm|num|pág|págs|pag|abb|tab|kap|bd|cap|rys|ryc|rozdz|č|čís|стр|рис|"
    r"гл|табл|№|[\w-]*str|σελ|αρ|blz|hlm|lpp|bls|sz|št|br|бр|ч|с|s"
)
