"""Texts that tell a judge what to score, each beside its clean twin; `python -m benchmarks.injection`."""
