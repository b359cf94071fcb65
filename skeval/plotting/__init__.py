"""Displays of results; matplotlib is imported when a plot is drawn."""
