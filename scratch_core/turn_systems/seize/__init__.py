"""Choose-next initiative with seizing."""
