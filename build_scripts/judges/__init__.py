"""What judges the project and builds nothing."""
