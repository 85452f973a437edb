"""Commands for developers: they compare, measure and take pictures, and build nothing of the site."""
