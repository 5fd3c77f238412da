"""``python -m mail read``: read the mails of a folder; see :mod:`mail.reading.tool`."""

from __future__ import annotations

import sys

from mail.reading import tool


def main() -> None:
    """Run the command that is named."""
    if sys.argv[1:2] != ["read"]:
        sys.exit("python -m mail: the command is `read --index INDEX.json FOLDER`.")
    tool.main(sys.argv[2:])


if __name__ == "__main__":
    main()
