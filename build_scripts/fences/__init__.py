"""The fences of our pages: each kind renders one block of Markdown as HTML."""
