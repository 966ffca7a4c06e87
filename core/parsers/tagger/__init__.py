"""A trigram part-of-speech tagger with hashed features."""
