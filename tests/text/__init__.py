"""Text both ways: every container, against decimals as exact fractions."""
