"""The made pages of the site, written once, without pictures."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def made(tmp_path_factory) -> dict[str, str]:
    """Text of every made page by its path in docs/."""
    from docs.generate.site import pages

    return dict(pages(tmp_path_factory.mktemp("pictures")))
