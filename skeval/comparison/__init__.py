"""Tests that read predictions, scores per split, or a table of scores."""
