"""Parsers of other languages, made one network that answers about word order steer.

``text`` has the tags that it reads, ``questions`` the answers, ``statistics`` what a text's tags say by themselves.
``network`` runs it. ``training`` makes it, from ``examples`` of real languages and of turned ones (``turning``).
"""
