"""Words that count as a negation or a number, by language; data for `mtr.corpus.marks`.

All languages are looked up at once: a word that means something else in another language only makes a pair of passages
count as different, and both are kept.
"""

NEGATIONS: dict[str, str] = {
    "en": "no not never none nobody nothing nowhere neither nor without cannot except unless hardly",
    "de": "nicht nichts nie niemals niemand nirgends kein keine keinen keinem keiner keines ohne weder außer",
    "fr": "ne ni pas jamais rien aucun aucune personne sans sauf guère nulle",
    "es": "no ni nunca jamás nada nadie ningún ninguno ninguna sin tampoco salvo excepto",
}
NEGATION_CHARACTERS = "不没沒无無非未别別勿莫否"

NUMBERS: dict[str, str] = {
    "en": "zero two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion dozen "
    "half third quarter twice first second fourth fifth",
    "de": "null zwei drei vier fünf sechs sieben acht neun zehn elf zwölf zwanzig dreißig vierzig fünfzig sechzig "
    "siebzig achtzig neunzig hundert tausend million millionen milliarde milliarden halb erste zweite dritte",
    "fr": "zéro deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize vingt trente "
    "quarante cinquante soixante cent cents mille million millions milliard demi premier première deuxième troisième",
    "es": "cero dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince veinte treinta "
    "cuarenta cincuenta sesenta setenta ochenta noventa cien ciento mil millón millones medio primero segundo tercero",
}

CHINESE_DIGITS = {
    "零": 0,
    "〇": 0,
    "一": 1,
    "二": 2,
    "两": 2,
    "三": 3,
    "四": 4,
    "五": 5,
    "六": 6,
    "七": 7,
    "八": 8,
    "九": 9,
}
CHINESE_UNITS = {"十": 10, "百": 100, "千": 1000}
CHINESE_MYRIADS = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8}
