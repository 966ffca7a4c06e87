"""``person``: who has signed in, and what only the machine's owner may do about it."""

from argparse import Namespace

from core.commandline.options import Commands, add_actions
from core.commandline.reports import Report, table
from core.commandline.stores import add_store_command
from core.store import Store
from core.store.members import clean_person

COLUMNS = {"person": "person", "issuer": "issuer", "subject": "account", "bound": "since", "browsers": "browsers"}


def add_commands(commands: Commands) -> None:
    """Add ``person`` to the command line."""
    actions = add_actions(commands, "person", "list who has signed in, sign somebody out, give an address free")
    add_store_command(actions, "list", "everybody who has signed in, and in how many browsers", run_list)
    for name, help, run in (
        ("sign-out", "sign a person out in every browser", run_sign_out),
        ("release", "give an address free for the account that signs in with it next", run_release),
    ):
        command = add_store_command(actions, name, help, run)
        command.add_argument("person", metavar="EMAIL", help="the address by which projects are shared with the person")


def run_list(options: Namespace) -> Report:
    """Everybody who has signed in."""
    store = Store.open(options.store)
    people = [dict(person) | {"bound": f"{person['bound']:%Y-%m-%d %H:%M} UTC"} for person in store.people()]
    rows = [[person[key] for key in COLUMNS] for person in people]
    return Report({"people": people}, table(rows, tuple(COLUMNS.values())) if rows else "nobody has signed in yet")


def run_sign_out(options: Namespace) -> Report:
    """End a person's sessions."""
    ended = Store.open(options.store).end_sessions(options.person)
    return Report(
        {"person": options.person, "browsers": ended}, f"{clean_person(options.person)}: signed out, browsers: {ended}"
    )


def run_release(options: Namespace) -> Report:
    """Give an address free."""
    Store.open(options.store).release_person(options.person)
    message = f"{options.person} belongs to whichever account signs in with it next; its roles are as they were"
    return Report({"person": options.person}, message)
