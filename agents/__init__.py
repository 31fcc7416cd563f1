"""Agents: each knows how to ask a model for one thing and returns records; none imports another."""
