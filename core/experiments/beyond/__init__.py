"""Beyond the papers: lines of a linguist on a grammar, for whole sentences of English and of seven other languages."""
