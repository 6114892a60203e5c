"""Threads of a session: the newest request wins, closed tabs stop the work, quick questions do not wait for runs."""

import threading

import pytest

from attnflow.interfaces.explore.lanes import Lanes
from attnflow.interfaces.explore.session import Stopped


class Endless:
    """A session whose runs never end by themselves."""

    def __init__(self):
        self.ended: list[int] = []
        self.answered = threading.Event()

    def handle(self, message, send, data=b""):
        if message["do"] == "matrix":
            self.answered.set()
            return
        try:
            while True:
                send({"say": "working", "id": message["id"]}, None)
        except Stopped:
            self.ended.append(message["id"])
            raise


@pytest.fixture
def talk():
    session, heard, seen = Endless(), [], threading.Condition()

    def send(words, data):
        with seen:
            if heard[-1:] != [words["id"]]:
                heard.append(words["id"])
                seen.notify_all()

    def until(what):
        with seen:
            assert seen.wait_for(what, timeout=30)

    lanes = Lanes(session, send)  # pyright: ignore[reportArgumentType]
    yield lanes, session, heard, until
    lanes.close()


def test_the_newest_request_stops_older_work(talk):
    lanes, session, heard, until = talk
    lanes.put({"do": "run", "id": 1})
    until(lambda: heard == [1])
    for id_ in (2, 3, 4):
        lanes.put({"do": "run", "id": id_})
    until(lambda: heard[-1] == 4)
    # Those between never began, or were stopped at their first word.
    assert session.ended[0] == 1 and 4 not in session.ended


def test_questions_are_answered_while_a_run_works(talk):
    lanes, session, heard, until = talk
    lanes.put({"do": "run", "id": 1})
    until(lambda: heard == [1])
    lanes.put({"do": "matrix", "id": 1, "t": 0.0})
    assert session.answered.wait(30) and session.ended == []


@pytest.mark.parametrize("end", [lambda lanes: lanes.close(), lambda lanes: lanes.put({"do": "stop"})])
def test_nobody_who_listens_means_no_work(talk, end):
    lanes, session, heard, until = talk
    lanes.put({"do": "run", "id": 1})
    until(lambda: heard == [1])
    end(lanes)
    for _ in range(300):
        if session.ended:
            break
        threading.Event().wait(0.05)
    assert session.ended == [1]
