"""From documents to passages, near-duplicates and clusters."""
