"""What a user chooses, checked once: a wrong option is named as the command line writes it."""

from typing import Self

from pydantic import ValidationError

from mtr.errors import InputError
from mtr.records import Record


class Options(Record):
    """The base of all that shapes a result."""

    @classmethod
    def checked(cls, **values: object) -> Self:
        """The options, or an InputError that names the one out of its range."""
        try:
            return cls.model_validate(values)
        except ValidationError as error:
            first = error.errors()[0]
            name = "--" + str(first["loc"][0]).replace("_", "-")
            raise InputError(f"{name} {first['input']}: {first['msg']}") from error
