"""What of judging needs no model: which asks a turn gives, how they are shown, how verdicts are tallied."""
