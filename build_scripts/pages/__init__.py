"""Finishing the built pages: links, scripts, the rule index, licences."""
