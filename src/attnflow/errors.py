"""What users are told: bad input, and what they should know although nothing failed."""


class BadInput(ValueError):
    """What the user gave cannot make sense: one line that says what was given, what is possible, what to do."""


class Notice(UserWarning):
    """A warning of attnflow itself; the command line puts it into the notes of a run."""
