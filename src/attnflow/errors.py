"""What users are told: bad input, and what they should know although nothing failed."""

from pathlib import Path

LONGEST = 200
"""Characters of the line that a refusal is."""
LONGEST_PATH = 4095
"""Characters of a path on Linux."""


class BadInput(ValueError):
    """What the user gave cannot make sense: one line that says what was given, what is possible, what to do.

    >>> import attnflow as af
    >>> try:
    ...     af.uniform_sphere(0, 3)
    ... except af.BadInput as error:
    ...     print(error)
    n must be an integer of at least 1, got 0
    """

    def __init__(self, words: object = ""):
        super().__init__(printable(str(words)))


class OutOfRange(BadInput, OverflowError):
    """Numbers that make sense, but lead beyond the range of floating point."""


class Notice(UserWarning):
    """A warning of attnflow itself; the command line puts it into the notes of a run.

    >>> import attnflow as af
    >>> issubclass(af.Notice, UserWarning)  # warnings.simplefilter("ignore", af.Notice) silences attnflow alone
    True
    """


def is_memory(error: BaseException | None) -> bool:
    """Whether memory was too small, as Python or as XLA says it."""
    return isinstance(error, MemoryError) or (isinstance(error, RuntimeError) and "RESOURCE_EXHAUSTED" in str(error))


def printable(words: str, most: int = LONGEST) -> str:
    """One printable line: nothing a file name holds may steer a terminal; too long ones lose their middle."""
    line = "".join(c if c.isprintable() else "?" for c in " ".join(words.split()))
    end = 2 * most // 5
    return line if len(line) <= most else f"{line[: most - end - 1]}…{line[-end:]}"


def as_path(value: object) -> Path:
    """A place on disk; numbers and other things that name none are refused."""
    if not isinstance(value, str | Path) or len(str(value)) > LONGEST_PATH or "\0" in str(value):
        raise BadInput(f"a path to a file or folder is needed, got {quoted(value)}")
    return Path(value)


def quoted(value: object) -> str:
    """A value that is refused, in a few words."""
    if isinstance(value, int) and abs(value) >= 10**24:
        return "a whole number of more than 24 digits"
    try:
        words = repr(value)
    except (ValueError, RecursionError):  # integers of thousands of digits, endless nesting
        return f"a {type(value).__name__} too long to show"
    return printable(words, 80)
