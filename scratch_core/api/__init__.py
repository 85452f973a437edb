"""The functions of `scratch_core` for scripts, by what they are about. `scratch_core.__init__` exports them."""
