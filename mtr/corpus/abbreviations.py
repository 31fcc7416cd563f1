"""Words before and after a full stop that tell an abbreviation from the end of a sentence."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


NEVER_END = _words(
    """
    e.g i.e eg ie cf vs viz dr mr mrs ms mx prof st mt fig figs eq eqs sec sect ch vol vols pp ed eds approx ca
    gen col capt lt sgt rev hon gov sen rep pres resp esp incl excl def thm lem prop z.b d.h u.a v.a i.d.r o.g
    s.o s.u vgl bzw ggf evtl bspw sog inkl exkl zzgl abb tab abs hr fr mme mlle mm p.ex c.-à-d env sr sra srta
    ud p.ej ej núm pág г-н т.е т.к т.н напр см рис проф
    """
)
MAY_END = _words(
    """
    etc al inc ltd co corp jr sr a.m p.m u.s u.k u.n e.u d.c ph.d b.sc m.sc usw u.s.w dept univ assn bros est
    ext jan feb mar apr jun jul aug sep sept oct nov dec т.д т.п др пр г гг
    """
)
STARTERS = _words(
    """
    The A An In On At It Its He She They We You I This That These Those There Then If When While As For From To
    But And Or So However Some Many Most All Each Every No Not Only Our Their His Her My Your What Which Who Why
    How Where Use After Before Because Since Although By With Without One Two Both Another Other See Note Der
    Die Das Ein Eine Es Er Sie Wir Ich Im In Am Bei Mit Wenn Als Und Aber Le La Les Un Une Il Elle Ils Nous Vous
    Ce Cette El Los Las Una В На И Но Он Она Они Это По При Для
    """
)
ORDINAL_NOUNS = _words(
    """
    Januar Februar März April Mai Juni Juli August September Oktober November Dezember Jahrhundert Jahrhunderts
    Auflage Kapitel Klasse Stock Lebensjahr
    """
)
