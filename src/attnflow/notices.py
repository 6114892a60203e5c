"""What a user should know although nothing failed."""


class Notice(UserWarning):
    """A warning of attnflow itself; the command line puts it into the notes of a run."""
