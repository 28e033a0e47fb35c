"""What importing a neighbour does to the tests of the rest."""


def pytest_configure(config):
    # JAX says so at every fork of the process that has imported it, whoever forks.
    config.addinivalue_line("filterwarnings", r"ignore:os\.fork\(\) was called:RuntimeWarning")
