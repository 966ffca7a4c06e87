"""Files of secrets from which no sign-in comes: what is in each, and what is said of it."""

AUTH = '[auth]\nredirect_uri = "https://bench.example.org/oauth2callback"\ncookie_secret = "a long random text"\n'
PROVIDER = 'client_id = "bench"\nclient_secret = "hush"\n'
METADATA = 'server_metadata_url = "https://id.example.org/.well-known/openid-configuration"\n'
WHOLE = AUTH + PROVIDER + METADATA


def _folder(path):
    path.mkdir()


def _unreadable(path):
    path.symlink_to(path)  # to itself: not even root can read it


SPOILED = {  # by name: the text, bytes, or what makes the file; None is none; and the beginning of the sentence
    "missing": (None, "The store has members, who have to sign in, and no provider is named under [auth] in {}"),
    "empty": ("", "The store has members, who have to sign in, and no provider is named under [auth] in {}"),
    "auth alone": ("[auth]\n", "[auth] in {} lacks redirect_uri and cookie_secret"),
    "misspelt": (WHOLE.replace("[auth]", "[Auth]"), "[Auth] in {} must be written [auth]"),
    "syntax": (WHOLE.replace("]", "", 1), "{} is not TOML"),
    "no client id": (WHOLE.replace('client_id = "bench"\n', ""), "[auth] in {} lacks client_id"),
    "no secret": (WHOLE.replace('"hush"', '""'), "[auth] in {} lacks client_secret"),
    "no metadata": (AUTH + PROVIDER, "[auth] in {} lacks server_metadata_url"),
    "unknown provider": (AUTH + '[auth.nobody]\nclient_id = "bench"\n', "[auth.nobody] in {} lacks client_secret and"),
    "unreadable": (_unreadable, "{} cannot be read (Too many levels of symbolic links)"),
    "a folder": (_folder, "{} cannot be read (Is a directory)"),
    "encoding": (WHOLE.encode("utf-16"), "{} is not in UTF-8"),
}


def spoil(path, name):
    """Make the file that SPOILED names; returns the beginning of what must be said of it."""
    content, said = SPOILED[name]
    if callable(content):
        content(path)
    elif content is not None:
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return said.format(path)
