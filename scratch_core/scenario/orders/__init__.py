"""Scenarios of the other turn orders: read in this order `records`, `fields`, `reading`, `playing`."""
