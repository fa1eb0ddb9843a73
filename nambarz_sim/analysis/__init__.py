"""Records to tables of figures."""
