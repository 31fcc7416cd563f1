"""The statistics of audits and benchmarks: means with intervals, agreement, correlation, cuts; pure functions."""
