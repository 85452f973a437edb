"""Steps that finish the built pages: links, scripts, the rulebook, licences."""
