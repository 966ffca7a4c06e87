"""A tagger from a tag dictionary: some words with their tags, and what the words of other languages taught.

``types`` reads a text as types. ``evidence`` says what is known around each word, and ``network`` tells tags from that.
``tagger`` tags; ``worth`` says which words to tag next. ``training`` learns from treebanks of many languages.
"""
