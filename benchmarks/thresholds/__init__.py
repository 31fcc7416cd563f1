"""Measures what a model's P(yes) has to reach; `python -m benchmarks.thresholds`."""
