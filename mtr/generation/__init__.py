"""Generating a data set: options and their checks, the estimate, running the batch, writing folder and manifest."""
