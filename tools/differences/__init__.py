"""What makes the page docs/differences.md: what is asked, of whom, and how it is written down."""
