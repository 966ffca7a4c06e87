"""The documents of a project made from its log alone."""


def replayed(store, project):
    state = {}
    for entry in reversed(store.history(project)):
        state |= {(command.kind, command.key): command.after for command in entry.commands}
    return {place: state[place] for place in sorted(state) if state[place] is not None}
