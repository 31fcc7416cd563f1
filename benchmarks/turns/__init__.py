"""Delivered turns laid out for a reader, and his labels counted."""
