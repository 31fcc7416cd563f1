"""Data-set folders: our own layout and adapters for foreign ones."""
