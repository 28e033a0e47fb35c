"""Cases collected from documents, test suites and reports of faults, run through the operators."""
