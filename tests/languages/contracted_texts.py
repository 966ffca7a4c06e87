"""Texts of about 200 tokens in Catalan, French and Italian, written for these tests.

They were written before they were first cut; some lines of the French and Italian tables came of what they showed.

Braces have the parts of what stands before them, as Universal Dependencies counts: ``dels{de els}``. A stroke is where
it begins, where no space is.
"""

import re

CATALAN = """
Quan vam arribar al{a el} poble, les campanes de l'església tocaven i la gent sortia als{a els} balcons per
veure'ns{veure 'ns}. El fill del{de el} forner ens va dir que podíem quedar-nos{quedar nos} a casa seva, però
havíem d'|anar-hi{anar hi} abans del{de el} vespre. Vaig demanar-li{demanar li} si calia portar res. “No cal”,
va respondre, “només heu de donar-me{donar me} un cop de mà amb les caixes dels{de els} veïns”. Caminàvem
pel{per el} camí vell, entre els murs, mirant-nos{mirant nos} els arbres que creixien als{a els} marges. A
l'hora de sopar vam explicar-los{explicar los} la història dels{de els} avis, i el seu pare, content
d'|escoltar-la{escoltar la}, va voler repetir-la{repetir la} als{a els} altres. L'endemà, en
llevar-me{llevar me}, vaig veure que la neu arribava al{a el} llindar i que calia treure-la{treure la}. “Vine i
ajuda'm{ajuda 'm}!”, cridava el nen des del{de el} carrer. “Porta'l{porta 'l} aquí i deixa'l{deixa 'l} al{a el}
costat del{de el} pou.” Vam posar-hi{posar hi} tot el matí, sense adonar-nos{adonar nos} del{de el} fred;
després vam asseure'ns{asseure 'ns} prop del{de el} foc i vam beure'n{beure 'n} un got. Pels{per els} vidres es
veia la vall. Ningú no volia anar-se'n{anar se 'n}, i jo tampoc no vaig saber dir-los-ho{dir los ho}. Cal que
tornem als{a els} estius d'abans: fer-ho{fer ho} és fàcil, només s'ha de voler.
"""

FRENCH = """
Au{à le} début du{de le} mois, les habitants du{de le} quartier se réunissent devant la mairie pour parler
des{de les} travaux. Il y a des enfants qui jouent, des vieux qui regardent et, près des{de les} arbres, un
marchand auquel{à lequel} tout le monde parle. Le maire répond aux{à les} questions, puis il va au{à le} marché
avec des amis de sa femme. On trouve au{à le} coin de la rue des pommes, du{de le} pain et de la confiture ; le
prix du{de le} beurre a encore augmenté. Les voisins desquels{de lesquels} je parlais hier sont venus
des{de les} villages du{de le} nord, par des chemins que personne n'utilise plus. Elle a écrit aux{à les}
parents des{de les} élèves : « Donnez-nous des nouvelles, s'il vous plaît, avant la fin du{de le} trimestre. »
Aujourd'hui, la porte des{de les} jardins reste fermée. Des ouvriers réparent le toit du{de le} théâtre et celui
de l'école. Du{de le} haut de la tour, on voit les bateaux qui reviennent au{à le} port ; aux{à les} heures
chaudes, rien ne bouge. La lettre du{de le} notaire, à laquelle il fallait répondre, parlait des{de les} dettes
auxquelles{à lesquelles} son père pensait toujours. Dis-le-moi quand tu viens : j'irai te chercher au{à le}
train, sans doute avec du retard, comme d'habitude. L'un des{de les} deux frères est docteur ès{en les} lettres
; l'autre vend des livres au{à le} bord du{de le} canal.
"""

ITALIAN = """
Nel{in il} cortile della{di la} scuola i ragazzi aspettavano il suono della{di la} campana per correre dai{da i}
nonni. Il direttore, uscito dall'{da l'}ufficio, cercava di parlargli{parlar gli}, ma nessuno voleva
ascoltarlo{ascoltar lo}. “Dammi{da mi} la chiave del{di il} cancello”, disse alla{a la} bidella, “e poi
dimmelo{di me lo} quando sono andati.” Sulla{su la} tavola c'era un po' d'acqua; con degli amici,
portandoci{portando ci} dietro le sedie, andammo a sederci{seder ci} sotto gli alberi. La parte più bella
dell'{di l'}estate era svegliarsi{svegliar si} presto, vestirsi{vestir si} in silenzio e scendere al{a il}
fiume. Mio zio parla poco: ai{a i} tempi della{di la} guerra aveva perso la casa, e sul{su il} suo passato non
voleva dirne{dir ne} niente. Vedendola{vedendo la} arrivare dalla{da la} stazione, gli operai le andarono
incontro per aiutarla{aiutar la} con i bagagli degli{di gli} ospiti. Andiamocene{andiamo ce ne}, disse, prima
che torni l'altro: nell'{in l'}armadio ci sono delle coperte e col{con il} freddo della{di la} notte servono.
Gli esperti fermi agli{a gli} angoli delle{di le} strade davano diversi consigli, ma bisognava capirli{capir li}
e metterli{metter li} in pratica. Potrei mandarglielo{mandar glie lo} domani, oppure lasciarlo{lasciar lo}
dal{da il} portiere; fallo tu, se vuoi, dopo le porte dei{di i} negozi.
"""
TEXTS = {"ca": CATALAN, "fr": FRENCH, "it": ITALIAN}
BRACES = re.compile(r"\|?([\w'’-]+)\{([^}]*)\}")


def written(text: str) -> str:
    """The text as it is written."""
    return BRACES.sub(r"\1", text).strip()


def counted(text: str) -> set[tuple[int, str]]:
    """(characters but spaces before it, parts in small letters) of each multiword token."""
    return {(len("".join(written(text[: match.start()]).split())), match[2]) for match in BRACES.finditer(text)}
