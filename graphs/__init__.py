"""Graphs: LangGraph state machines that decide when each agent acts."""
