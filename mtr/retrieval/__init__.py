"""Finding passages: the store, exact and lexical search, fusion."""
