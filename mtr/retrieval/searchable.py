"""What of a passage is searched: the one text that is embedded and indexed."""

from typing import Protocol


class Searchable(Protocol):
    """Any passage, our own or a foreign data set's."""

    @property
    def passage_id(self) -> str:
        """Its id."""

    @property
    def title(self) -> str:
        """Its document's title, empty for none."""

    @property
    def heading(self) -> str:
        """The heading it stands under, empty for none."""

    @property
    def text(self) -> str:
        """The passage itself."""


def searchable_text(passage: Searchable) -> str:
    """Title and heading on lines of their own, unless the passage begins with them, then the passage."""
    begins = passage.text.partition("\n")[0].strip("#*= \t")
    above = dict.fromkeys(part for part in (passage.title, passage.heading) if part and part != begins)
    return "\n".join((*above, passage.text))
