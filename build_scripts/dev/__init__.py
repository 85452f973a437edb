"""Commands for developers: comparisons, measurements and screenshots. The build of the site does not use them."""
