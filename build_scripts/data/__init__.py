"""Derived data: statistics of duels for the lessons, and the win chances of the worked combat."""
