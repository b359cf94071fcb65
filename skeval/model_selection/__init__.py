"""Splitters, and what is made from splits."""
