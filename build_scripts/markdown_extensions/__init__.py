"""Our extensions of Markdown: links to rules, ruling notes, and numbers of the engine."""
