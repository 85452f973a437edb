"""The drawing of a map, for the map calculator, fights and replays."""
