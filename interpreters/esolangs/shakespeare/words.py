"""The words of the language, with their parts of speech.

The lists come from the standard's own compiler (spl 1.2.1 of Karl Hasselström and Jon
Åslund), including the spellings ``Cymberline`` and ``Hermonie``.
"""

from __future__ import annotations

NAMES = """
Achilles, Adonis, Adriana, Aegeon, Aemilia, Agamemnon, Agrippa, Ajax, Alonso,
Andromache, Angelo, Antiochus, Antonio, Arthur, Autolycus, Balthazar, Banquo,
Beatrice, Benedick, Benvolio, Bianca, Brabantio, Brutus, Capulet, Cassandra,
Cassius, Christopher Sly, Cicero, Claudio, Claudius, Cleopatra, Cordelia, Cornelius,
Cressida, Cymberline, Demetrius, Desdemona, Dionyza, Doctor Caius, Dogberry, Don
John, Don Pedro, Donalbain, Dorcas, Duncan, Egeus, Emilia, Escalus, Falstaff,
Fenton, Ferdinand, Ford, Fortinbras, Francisca, Friar John, Friar Laurence,
Gertrude, Goneril, Hamlet, Hecate, Hector, Helen, Helena, Hermia, Hermonie,
Hippolyta, Horatio, Imogen, Isabella, John of Gaunt, John of Lancaster, Julia,
Juliet, Julius Caesar, King Henry, King John, King Lear, King Richard, Lady Capulet,
Lady Macbeth, Lady Macduff, Lady Montague, Lennox, Leonato, Luciana, Lucio,
Lychorida, Lysander, Macbeth, Macduff, Malcolm, Mariana, Mark Antony, Mercutio,
Miranda, Mistress Ford, Mistress Overdone, Mistress Page, Montague, Mopsa, Oberon,
Octavia, Octavius Caesar, Olivia, Ophelia, Orlando, Orsino, Othello, Page, Pantino,
Paris, Pericles, Pinch, Polonius, Pompeius, Portia, Priam, Prince Henry, Prospero,
Proteus, Publius, Puck, Queen Elinor, Regan, Robin, Romeo, Rosalind, Sebastian,
Shallow, Shylock, Slender, Solinus, Stephano, Thaisa, The Abbot of Westminster, The
Apothecary, The Archbishop of Canterbury, The Duke of Milan, The Duke of Venice, The
Ghost, Theseus, Thurio, Timon, Titania, Titus, Troilus, Tybalt, Ulysses, Valentine,
Venus, Vincentio, Viola
"""

POSITIVE_ADJECTIVES = """
amazing, beautiful, blossoming, bold, brave, charming, clearest, cunning, cute,
delicious, embroidered, fair, fine, gentle, golden, good, handsome, happy, healthy,
honest, lovely, loving, mighty, noble, peaceful, pretty, prompt, proud, reddest,
rich, smooth, sunny, sweet, sweetest, trustworthy, warm
"""
NEUTRAL_ADJECTIVES = """
big, black, blue, bluest, bottomless, furry, green, hard, huge, large, little,
normal, old, purple, red, rural, small, tiny, white, yellow
"""
NEGATIVE_ADJECTIVES = """
bad, cowardly, cursed, damned, dirty, disgusting, distasteful, dusty, evil,
fat-kidneyed, fatherless, fat, foul, hairy, half-witted, horrible, horrid, infected,
lying, miserable, misused, oozing, rotten, smelly, snotty, sorry, stinking, stuffed,
stupid, vile, villainous, worried
"""
POSITIVE_NOUNS = """
heaven, king, lord, angel, flower, happiness, joy, plum, summer's day, hero, rose,
kingdom, pony
"""
NEUTRAL_NOUNS = """
animal, aunt, brother, cat, chihuahua, cousin, cow, daughter, door, face, father,
fellow, granddaughter, grandfather, grandmother, grandson, hair, hamster, horse,
lamp, lantern, mistletoe, moon, morning, mother, nephew, niece, nose, purse, road,
roman, sister, sky, son, squirrel, stone wall, thing, town, tree, uncle, wind
"""
NEGATIVE_NOUNS = """
hell, microsoft, bastard, beggar, blister, codpiece, coward, curse, death, devil,
draught, famine, flirt-gill, goat, hate, hog, hound, leech, lie, pig, plague,
starvation, toad, war, wolf
"""

# Kinds of token.  Marks first, then words; a phrase of several words is one token.
(
    END,
    DOT,
    BANG,
    QUERY,
    COMMA,
    COLON,
    OPEN_BRACKET,
    CLOSE_BRACKET,
    OTHER,  # any other mark
    WORD,  # a word that is not listed
    NAME,  # value: index in NAMES_IN_ORDER
    ARTICLE,
    BE,
    FIRST_PERSON,
    SECOND_PERSON,
    SECOND_REFLEXIVE,
    POSSESSIVE,
    SECOND_POSSESSIVE,
    NOTHING,
    POSITIVE_ADJECTIVE,
    NEUTRAL_ADJECTIVE,
    NEGATIVE_ADJECTIVE,
    POSITIVE_NOUN,  # also neutral nouns, which have the same value
    NEGATIVE_NOUN,
    BETTER,
    WORSE,
    MORE,
    LESS,
    THAN,
    AS,
    NOT,
    AND,
    BINARY,  # value: its place in BINARIES
    UNARY,  # value: its place in UNARIES
    IF,  # value: 1 for "if so", 2 for "if not"
    LET_US,
    PROCEED_TO,
    ACT,
    SCENE,
    OPEN,
    SPEAK,
    LISTEN_TO,
    HEART,
    MIND,
    REMEMBER,
    RECALL,
    ENTER,
    EXIT,
    EXEUNT,
    PAUSE,
) = range(50)

BINARIES = (
    "the sum of",
    "the difference between",
    "the product of",
    "the quotient between",
    "the remainder of the quotient between",
)
UNARIES = ("twice", "the square of", "the cube of", "the square root of", "the factorial of")
CONDITIONS = ("", "if so", "if not")

_WORDS = (
    (ARTICLE, "a, an, the"),
    (BE, "am, are, art, be, is"),
    (FIRST_PERSON, "I, me, myself"),
    (SECOND_PERSON, "thee, thou, you"),
    (SECOND_REFLEXIVE, "thyself, yourself"),
    (POSSESSIVE, "mine, my, his, her, its, their"),
    (SECOND_POSSESSIVE, "thine, thy, your"),
    (NOTHING, "nothing, zero"),
    (POSITIVE_ADJECTIVE, POSITIVE_ADJECTIVES),
    (NEUTRAL_ADJECTIVE, NEUTRAL_ADJECTIVES),
    (NEGATIVE_ADJECTIVE, NEGATIVE_ADJECTIVES),
    (POSITIVE_NOUN, POSITIVE_NOUNS),
    (POSITIVE_NOUN, NEUTRAL_NOUNS),
    (NEGATIVE_NOUN, NEGATIVE_NOUNS),
    (BETTER, "better, bigger, fresher, friendlier, jollier, nicer"),
    (WORSE, "punier, smaller, worse"),
    (MORE, "more"),
    (LESS, "less"),
    (THAN, "than"),
    (AS, "as"),
    (NOT, "not"),
    (AND, "and"),
    (LET_US, "let us, we must, we shall"),
    (PROCEED_TO, "proceed to, return to"),
    (ACT, "act"),
    (SCENE, "scene"),
    (OPEN, "open"),
    (SPEAK, "speak"),
    (LISTEN_TO, "listen to"),
    (HEART, "heart"),
    (MIND, "mind"),
    (REMEMBER, "remember"),
    (RECALL, "recall"),
    (ENTER, "enter"),
    (EXIT, "exit"),
    (EXEUNT, "exeunt"),
    (PAUSE, "a pause"),
)

NAMES_IN_ORDER = tuple(" ".join(name.split()) for name in NAMES.split(","))

Entry = tuple[tuple[bytes, ...], int, int]
"""A phrase: the words after its first one, its kind, and its value."""


def _table() -> dict[bytes, list[Entry]]:
    table: dict[bytes, list[Entry]] = {}

    def add(phrase: str, kind: int, value: int = 0) -> None:
        first, *rest = phrase.lower().encode().split()
        table.setdefault(first, []).append((tuple(rest), kind, value))

    for kind, phrases in _WORDS:
        for phrase in phrases.split(","):
            add(phrase, kind)
    for kind, numbered in (
        (NAME, NAMES_IN_ORDER),
        (BINARY, BINARIES),
        (UNARY, UNARIES),
    ):
        for value, phrase in enumerate(numbered):
            add(phrase, kind, value)
    for value in (1, 2):
        add(CONDITIONS[value], IF, value)
    for entries in table.values():
        if len(entries) > 1:
            entries.sort(key=_word_count, reverse=True)
    return table


def _word_count(entry: Entry) -> int:
    return len(entry[0])


TABLE = _table()
"""Phrases by their first word in lower case, the longest first."""
