"""The search index, with the questions that players ask as synonyms."""
