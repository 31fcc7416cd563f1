"""A benchmark from its options to its folder: retrievers by query strategies by rerankers on one data set."""
