"""MTR builds, audits and benchmarks conversational retrieval test sets."""
