"""The drawing of a map, on the map calculator, in fights and in replays."""
