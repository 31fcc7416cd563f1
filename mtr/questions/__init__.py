"""Question sets: single-turn queries of graded difficulty, from the draw of their passages to their data-set folder."""
