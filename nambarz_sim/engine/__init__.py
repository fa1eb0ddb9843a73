"""The engine: the only place that knows what a turn may be and what becomes of the cards."""
