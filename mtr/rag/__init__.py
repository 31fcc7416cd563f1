"""A RAG evaluation from its options to its folder: systems answer, an ensemble judges, k is swept."""
