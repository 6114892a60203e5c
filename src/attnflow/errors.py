"""What users are told: bad input, and what they should know although nothing failed."""


class BadInput(ValueError):
    """What the user gave cannot make sense: one line that says what was given, what is possible, what to do.

    >>> import attnflow as af
    >>> try:
    ...     af.uniform_sphere(0, 3)
    ... except af.BadInput as error:
    ...     print(error)
    n must be an integer of at least 1, got 0
    """


class Notice(UserWarning):
    """A warning of attnflow itself; the command line puts it into the notes of a run.

    >>> import attnflow as af
    >>> issubclass(af.Notice, UserWarning)  # warnings.simplefilter("ignore", af.Notice) silences attnflow alone
    True
    """
