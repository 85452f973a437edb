"""Derived data: duels played out for the lessons, and the win chances of the worked combat."""
