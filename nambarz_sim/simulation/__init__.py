"""Batches of games: the loop, the records, the results."""
