"""Help for who writes constraints: first ones, files of others, suggestions, previews, what each adds, why an arc is
there."""
