"""Which names a server answers to."""

import pytest

from core.serving.hosts import host_name, is_our_host

LOOPBACK = "127.0.0.1"


@pytest.mark.parametrize(
    "host", ["localhost", "LOCALHOST:8501", "localhost.", "127.0.0.1:8501", "127.9.9.9", "[::1]:1"]
)
def test_this_machine_is_always_its_own(host):
    assert is_our_host(host, (), LOOPBACK) and is_our_host(host, ("bench.example.org",), "0.0.0.0")


@pytest.mark.parametrize(
    "host", [None, "", "evil.example", "evil.example:8501", "localhost.evil.example", "127.0.0.1.evil.example", "bench",
             "10.0.0.5", "127.0.0.1@evil.example", "localhost/x", "localhost:port", "[::1", "a b", "localhost:99999"],
)  # fmt: skip
def test_a_stranger_s_name_is_not(host):
    assert not is_our_host(host, ("bench.example.org",), LOOPBACK)


def test_names_that_it_was_given():
    names = ("Bench.Example.org", "*.inner.example.org", "")
    for host in ("bench.example.org", "BENCH.example.org.:443", "a.inner.example.org"):
        assert is_our_host(host, names, LOOPBACK)
    for host in ("inner.example.org", "xbench.example.org", "bench.example.org.evil.example"):
        assert not is_our_host(host, names, LOOPBACK)
    assert is_our_host("any.example", ("*",), LOOPBACK)


def test_where_it_listens():
    assert is_our_host("10.0.0.5:8501", (), "10.0.0.5") and not is_our_host("10.0.0.6", (), "10.0.0.5")
    for everywhere in ("0.0.0.0", "::", ""):
        assert is_our_host("10.0.0.5:8501", (), everywhere) and is_our_host("workbench-1:8501", (), everywhere)
        assert not is_our_host("evil.example", (), everywhere)


def test_what_a_host_is():
    assert host_name("A.b:80") == "a.b" and host_name("[::1]:80") == "::1" and host_name("u@h") is None
