"""``python -m castufunc``."""

from castufunc.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
