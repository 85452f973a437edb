"""The functions of `scratch_core` for scripts, by subject. `scratch_core.__init__` exports them."""
