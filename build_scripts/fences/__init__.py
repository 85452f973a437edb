"""The fences of our pages. Each kind renders a block of Markdown as HTML."""
