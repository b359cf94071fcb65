"""Private helpers: validation, labels, random generators, results, responses, optional imports."""
