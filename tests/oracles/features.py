"""The features of an arc spelled out as text, one by one."""


def _bin(distance):
    return str(distance) if distance <= 5 else ("6-10" if distance <= 10 else ">10")


def restricted_names(tags, head, modifier):
    """Names of the restricted features of head -> modifier; ``tags[0]`` is the root's."""
    side = "after its head" if modifier > head else "before its head"
    return {f"head tag={tags[head]}, modifier tag={tags[modifier]}, {side}"}


def full_names(tags, head, modifier):
    """Names of the full unlexicalized features of head -> modifier."""

    def tag(position):
        return tags[position] if 0 <= position < len(tags) else "#"

    side = "after its head" if modifier > head else "before its head"
    reach = f"{side}, distance {_bin(abs(head - modifier))}"
    h, m = f"head tag={tag(head)}", f"modifier tag={tag(modifier)}"
    names = {side, reach, f"{h}, {reach}", f"{m}, {reach}", f"{h}, {m}, {reach}"}
    for between in tags[min(head, modifier) + 1 : max(head, modifier)]:
        names.add(f"{h}, tag between={between}, {m}, {reach}")
    before_head, after_head = f"tag before head={tag(head - 1)}", f"tag after head={tag(head + 1)}"
    before, after = f"tag before modifier={tag(modifier - 1)}", f"tag after modifier={tag(modifier + 1)}"
    names.add(f"{h}, {after_head}, {before}, {m}, {reach}")
    names.add(f"{before_head}, {h}, {before}, {m}, {reach}")
    names.add(f"{h}, {after_head}, {m}, {after}, {reach}")
    names.add(f"{before_head}, {h}, {m}, {after}, {reach}")
    return names
