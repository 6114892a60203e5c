"""The made pages of the site, written once, without pictures."""

from pathlib import Path

import pytest


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """One worker makes the pages once."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.xdist_group("docs"))


@pytest.fixture(scope="session")
def made(tmp_path_factory) -> dict[str, str]:
    """Text of every made page by its path in docs/."""
    from docs.generate.site import pages

    return dict(pages(tmp_path_factory.mktemp("pictures")))
