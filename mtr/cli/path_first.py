"""Groups whose own name does the main thing: `mtr audit PATH` is `mtr audit run PATH`, beside named commands."""

from click import Context
from typer.core import TyperGroup

MAIN = "run"


class PathFirst(TyperGroup):
    """What is no command and no call for help goes to the command `run`, options included."""

    def parse_args(self, ctx, args):  # type: ignore[no-untyped-def]
        """The group has no options but `--help`, so that a line may begin with one of the main command's."""
        if not args and not self.no_args_is_help:
            args = [MAIN]
        return super().parse_args(ctx, _led(self, ctx, args))

    def resolve_command(self, ctx, args):  # type: ignore[no-untyped-def]
        """Anything that is no command is for the main one."""
        return super().resolve_command(ctx, _led(self, ctx, args))


def _led(group: PathFirst, context: Context, words: list[str]) -> list[str]:
    if words and words[0] not in group.commands and words[0] not in context.help_option_names:
        return [MAIN, *words]
    return words
