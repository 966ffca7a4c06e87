"""A tagger that learns from a short list of words with tags, and from the words of other languages.

``types`` reads a text as types. ``evidence`` says what is known around each word, and ``network`` tells tags from that.
``tagger`` tags; ``worth`` says which words to tag next. ``training`` learns from treebanks of many languages.
"""
