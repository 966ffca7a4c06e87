"""Who vouches for people: the provider that the secrets name, read as Streamlit reads them, and whether one must.

A store that has members never opens without: where the provider's settings are missing or spoiled, nobody comes in.
"""

import os
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from urllib.parse import urlsplit

from core.errors import WorkbenchError, quoted
from core.extras import require
from core.store.people import Account

SIGN_IN, UNVERIFIED, DAYS = "WORKBENCH_SIGN_IN", "WORKBENCH_UNVERIFIED_EMAIL", "WORKBENCH_SESSION_DAYS"
USUAL_DAYS, MOST_DAYS = 14, 30  # of a sign-in; Streamlit takes nothing for signed that is older
CALLBACK = "/oauth2callback"  # where Streamlit expects people to come back
SHARED, OF_PROVIDER = ("redirect_uri", "cookie_secret"), ("client_id", "client_secret", "server_metadata_url")
REMEDY = f"mend it (guide: Server, Sign-in), or set {SIGN_IN}=off to open everything to whoever reaches the address"
NEXT_START = (
    "No provider for signing in is named here: from its next start on, the server asks for one (guide: Server, Sign-in)"
    f" or for {SIGN_IN}=off."
)


@dataclass(frozen=True)
class Provider:
    """Who vouches for people, and what is asked of them.

    Attributes
    ----------
    names : tuple
        The sections of ``[auth]`` among which people choose; None is ``[auth]`` itself.
    redirect_uri : str
        The workbench's own address, to which people come back.
    days : int
        How long a browser stays signed in.
    takes_unverified : bool
        Whether an address is taken that the provider does not call verified.
    """

    names: tuple[str | None, ...]
    redirect_uri: str
    days: int = USUAL_DAYS
    takes_unverified: bool = False

    @property
    def host(self) -> str:
        """The public name of the server."""
        return urlsplit(self.redirect_uri).hostname or ""

    @property
    def is_encrypted(self) -> bool:
        """Whether browsers reach the server through TLS."""
        return urlsplit(self.redirect_uri).scheme == "https"

    def account(self, claims: Mapping[str, object]) -> Account:
        """The account that a provider's claims name. WorkbenchError where they leave open whose address it is."""
        issuer, subject, address = (claims.get(name) for name in ("iss", "sub", "email"))
        if not all(isinstance(value, str) and value for value in (issuer, subject)):
            raise WorkbenchError("Your sign-in names no account (iss, sub); tell who runs this server")
        if not isinstance(address, str) or not address:
            raise WorkbenchError("Your sign-in gives no e-mail address; ask for one where your account is kept")
        if claims.get("email_verified") is not True and not self.takes_unverified:
            raise WorkbenchError(
                f"Nobody has verified that {quoted(address)} is yours; have that done where your account is kept"
            )
        return Account(str(issuer), str(subject), address)


def sign_in(environment: Mapping[str, str], files: Sequence[str], has_members: Callable[[], bool]) -> Provider | None:
    """Who vouches for the people of a server; None where it has one user and nobody signs in.

    Raises WorkbenchError where people must sign in and cannot, and for settings that mean nothing.

    Parameters
    ----------
    environment : mapping
        ``WORKBENCH_SIGN_IN`` says ``required``, or ``off``; else people must sign in where a provider is named, or the
        store has members.
    files : sequence of str
        Where secrets are, as ``secret_files`` gives them.
    has_members : callable
        Whether the store has members; asked only where the answer decides.
    """
    mode, unverified = environment.get(SIGN_IN) or "", environment.get(UNVERIFIED) or ""
    if mode not in ("", "off", "required"):
        raise WorkbenchError(f"{SIGN_IN} is 'required' or 'off' or left out, not {quoted(mode)!r}")
    if unverified not in ("", "allow"):
        raise WorkbenchError(f"{UNVERIFIED} is 'allow' or left out, not {quoted(unverified)!r}")
    days = _days(environment)
    if mode == "off":
        for path in files:
            _text(path)  # raises: Streamlit cannot start either with a file that it cannot read
        return None
    section = read_section(files)
    if section is not None:
        require("auth")
        return Provider(tuple(_providers(section)), str(section["redirect_uri"]), days, unverified == "allow")
    if mode == "required" or has_members():
        why = f"{SIGN_IN}=required asks people" if mode else "The store has members, who have"
        raise WorkbenchError(f"{why} to sign in, and no provider is named under [auth] in {_place(files)}; {REMEDY}")
    return None


def read_section(files: Sequence[str]) -> Mapping[str, object] | None:
    """``[auth]`` of the secrets, whole; None where no file says anything of it.

    Raises WorkbenchError for a file that cannot be read, and for settings that are missing or spoiled.
    """
    secrets, source = {}, _place(files)
    for path in files:
        if (values := _read(path)) is not None:
            secrets, source = secrets | values, path if "auth" in values else source
    section = secrets.get("auth")
    if section is None:
        _require_no_likeness(secrets, source)
        return None
    if not isinstance(section, Mapping):
        raise WorkbenchError(f"auth in {source} is a value instead of a section [auth]; {REMEDY}")
    _require(section, SHARED, f"[auth] in {source}")
    _require_address(section["redirect_uri"], f"redirect_uri in {source}", CALLBACK)
    providers = _providers(section)
    if not providers:
        raise WorkbenchError(f"[auth] in {source} names no provider, by {_listed(OF_PROVIDER)}; {REMEDY}")
    for name, values in providers.items():
        where = "[auth]" if name is None else f"[auth.{quoted(name)}]"
        _require(values, OF_PROVIDER, f"{where} in {source}")
        _require_address(values["server_metadata_url"], f"server_metadata_url of {where} in {source}")
        if name is not None and "_" in name:
            raise WorkbenchError(f"{where} in {source} has an underscore in its name, which cannot be used; {REMEDY}")
    return section


def secret_files(options: Sequence[str], environment: Mapping[str, str], app: Path) -> list[str]:
    """Where Streamlit looks for secrets when the app in a folder is run with options; later ones outdo earlier ones.

    As Streamlit has it: its option outdoes its variable, that a ``config.toml``, that the usual places.
    """
    name = "--secrets.files"
    named = [option.partition("=")[2] for option in options if option.startswith(f"{name}=")]
    named += [value for option, value in pairwise(options) if option == name]
    named = named or (environment.get("STREAMLIT_SECRETS_FILES") or "").split()
    if named:
        return named
    folders = list(dict.fromkeys((Path.home(), Path.cwd(), app)))
    for folder in reversed(folders):
        section = (_read(str(folder / ".streamlit" / "config.toml")) or {}).get("secrets")
        if isinstance(section, Mapping) and "files" in section:
            return list(section["files"])
    return [str(folder / ".streamlit" / "secrets.toml") for folder in folders]


def _days(environment):
    text = environment.get(DAYS) or str(USUAL_DAYS)
    if not (text.isascii() and text.isdigit() and len(text) < 4 and 0 < int(text) <= MOST_DAYS):
        raise WorkbenchError(f"{DAYS} is the number of days from 1 to {MOST_DAYS}, not {quoted(text)!r}")
    return int(text)


def _providers(section: Mapping[str, object]) -> dict[str | None, Mapping[str, object]]:
    """The providers among which people choose: ``[auth]`` itself if it names one, and each section in it."""
    named = {name: value for name, value in section.items() if isinstance(value, Mapping) and name != "client_kwargs"}
    return ({None: section} if any(key in section for key in OF_PROVIDER) else {}) | named


def _read(path):
    """The values of a TOML file of secrets, or of a folder with a folder for each secret; None where there is none."""
    if (text := _text(path)) is not None:
        try:
            return tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise WorkbenchError(f"{path} is not TOML ({error}); {REMEDY}") from error
    if path.endswith(".toml"):
        return None
    if not os.path.isdir(path):
        raise WorkbenchError(f"{path} is neither a folder of secrets nor a file whose name ends in .toml; {REMEDY}")
    try:
        return {name: _read_folder(os.path.join(path, name)) for name in sorted(os.listdir(path))}
    except (OSError, UnicodeDecodeError) as error:
        raise WorkbenchError(f"{path} cannot be read as a folder with a folder for each secret; {REMEDY}") from error


def _text(path):
    """A file's text, None where there is no file."""
    try:
        return Path(path).read_text(encoding="utf-8") if path.endswith(".toml") else None
    except FileNotFoundError:
        return None
    except OSError as error:
        raise WorkbenchError(f"{path} cannot be read ({error.strerror}); mend it, or take it away") from error
    except UnicodeDecodeError as error:
        raise WorkbenchError(f"{path} is not in UTF-8; mend it, or take it away") from error


def _read_folder(folder):
    files = [file for file in sorted(Path(folder).iterdir()) if not file.is_dir()]
    values = {file.name: file.read_text(encoding="utf-8").strip() for file in files}
    return next(iter(values.values())) if len(values) == 1 else values


def _require_no_likeness(secrets, source):
    """Raise for a section whose name is ``[auth]`` written otherwise: it would be ignored, and nobody would sign in."""
    for name in secrets:
        if name.strip().casefold() in ("auth", "authentication", "oauth", "oidc"):
            raise WorkbenchError(f"[{quoted(name)}] in {source} must be written [auth]; {REMEDY}")
        if name in (*SHARED, *OF_PROVIDER):
            raise WorkbenchError(f"{name} in {source} stands outside of the section [auth]; {REMEDY}")


def _require(section, names, where):
    lacking = [name for name in names if not (isinstance(section.get(name), str) and section[name].strip())]
    if lacking:
        raise WorkbenchError(f"{where} lacks {_listed(lacking)}; {REMEDY}")


def _require_address(text, where, end=""):
    try:
        parts = urlsplit(text)
        is_address = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        is_address = False
    if not is_address or not text.endswith(end):
        how = f"https://workbench.example.org{end}" if end else "https://.../.well-known/openid-configuration"
        raise WorkbenchError(f"{where} is no address such as {how}; {REMEDY}")


def _listed(names):
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def _place(files):
    return files[-1] if files else "secrets.toml"
