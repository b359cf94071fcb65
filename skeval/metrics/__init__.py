"""Numbers from true labels and predictions: confusion matrices, ranked scores, scorers."""
