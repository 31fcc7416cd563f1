"""The errors MTR raises on purpose: each says what happened, where, and what to do."""


class MtrError(ValueError):
    """Something the user can mend; a ValueError, so that the graph server shows its message."""


class InputError(MtrError):
    """A file, line, field, name or option of the user's is wrong."""


class EndpointError(MtrError):
    """An endpoint refused, failed past all retries, or did not answer within the deadline."""


class FatalEndpointError(EndpointError):
    """No other call can succeed either (bad key, unknown model, exhausted quota): stop the batch."""


class ReplyError(MtrError):
    """A model's reply could not be read, or broke a fact of the domain, also when asked again."""


class BudgetError(MtrError):
    """The next call could pass a cap on tokens or money; nothing was sent."""


class ShortfallError(MtrError):
    """A batch delivered fewer items than asked for."""
