"""An address belongs to the account that signs in with it first, and a browser to nobody for ever."""

import threading
from datetime import timedelta

import pytest

from core.errors import StoreError
from core.store import Account, Store, people
from core.store.members import clean_person
from core.store.schema import now, sessions
from tests.patience import PATIENCE

ANA = Account("https://id.example.org", "7", "ana@x.org")


def browsers(store):
    return {each["person"]: each["browsers"] for each in store.people()}


def test_an_address_is_that_of_its_first_account(store):
    assert store.begin_session(ANA, "a", 14) == "ana@x.org"
    moved = Account(ANA.issuer, ANA.subject, "new@x.org")
    assert store.begin_session(moved, "b", 14) == "ana@x.org"  # whatever address she has there now
    for other in (Account(ANA.issuer, "8", "Ana@X.org"), Account("https://other.example.org", "7", "ana@x.org")):
        with pytest.raises(StoreError, match=r"belongs to another account .* person release ana@x.org"):
            store.begin_session(other, "c", 14)
    assert browsers(store) == {"ana@x.org": 2} and store.signed_in("c", 14) is None
    store.release_person("ana@x.org")
    assert store.signed_in("a", 14) is None
    assert store.begin_session(other, "c", 14) == "ana@x.org"
    with pytest.raises(StoreError, match="belongs to no account; python -m core person list"):
        store.release_person("nobody@x.org")


def test_addresses_that_look_alike_are_others():
    same = [clean_person(each) for each in ("kim@x.org", "KIM@x.org", " Kim@X.ORG ")]
    others = [
        clean_person(each) for each in ("\u212aim@x.org", "straße@x.org", "strasse@x.org", "ＫIM@x.org", "İm@x.org")
    ]
    assert set(same) == {"kim@x.org"} and len({*same, *others}) == 6
    assert clean_person("Ärger@X.org") == "Ärger@x.org" != clean_person("ärger@x.org")


def test_members_are_bound_by_their_first_sign_in_too(store, project):
    store.set_role(project, "ana@x.org", "reader")
    assert store.people() == []
    hers = store.on_behalf_of(store.begin_session(ANA, "a", 14))
    assert hers.role(project) == "reader" and browsers(store) == {"ana@x.org": 1}


def test_a_browser_is_signed_in_until_it_is_signed_out_anywhere(store, url):
    other = Store.open(url, busy_seconds=PATIENCE)
    for key in "abc":
        store.begin_session(ANA, key, 14)
    store.database.answers.begin_moment()  # as each run of a page does; it must not outlast a sign-out
    assert store.signed_in("a", 14) == store.signed_in("b", 14) == "ana@x.org"
    other.end_session("a")
    assert (store.signed_in("a", 14), store.signed_in("b", 14)) == (None, "ana@x.org")
    assert other.end_sessions("Ana@x.org") == 2 and other.end_sessions("ana@x.org") == 0
    assert store.signed_in("b", 14) is None and store.signed_in("never", 14) is None
    other.close()


def test_an_old_sign_in_ends_by_itself(store, monkeypatch):
    store.begin_session(ANA, "a", 14)
    monkeypatch.setattr(people, "now", lambda: now() + timedelta(days=13.9))
    assert store.signed_in("a", 14) == "ana@x.org" and store.signed_in("a", 13) is None
    monkeypatch.setattr(people, "now", lambda: now() + timedelta(days=14.1))
    assert store.signed_in("a", 14) is None
    store.begin_session(ANA, "b", 14)
    with store.database.read() as connection:
        assert [row.key for row in connection.execute(sessions.select())] == ["b"]  # what is over is cleared


def test_two_accounts_that_come_at_once_with_one_address(store):
    together, outcomes = threading.Barrier(8), []

    def come(subject):
        together.wait()
        try:
            outcomes.append(store.begin_session(Account("i", subject, "ana@x.org"), subject, 14))
        except StoreError as error:
            outcomes.append(str(error)[:34])

    threads = [threading.Thread(target=come, args=(str(number),)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["ana@x.org"] + 7 * ["ana@x.org belongs to another accou"]
    assert browsers(store) == {"ana@x.org": 1}
