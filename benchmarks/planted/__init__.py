"""Faults planted in a clean set: which of them do judges find, and what else; `python -m benchmarks.planted`."""
