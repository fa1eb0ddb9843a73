"""The arithmetic of the game: which sets of numbers make which number with the fewest cards."""
