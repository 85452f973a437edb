"""People as they are typed: stat blocks for the basic rules, a line each for the other orders of turns.

It stands below all pages: a fight, the odds of a duel and the initiative read the same text in the same way.
"""
