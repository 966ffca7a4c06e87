"""What a person's choices share: they are kept in the store as plain values, and read back by later versions."""

from dataclasses import asdict, fields


class Plan:
    """Base of frozen dataclasses of plain values. A subclass adds the choices and what follows from them."""

    def as_dict(self):
        """Plain values for the store."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values):
        """From stored values; those it does not know, of another version, are left out."""
        known = {field.name for field in fields(cls)}
        return cls(**{name: value for name, value in values.items() if name in known})
