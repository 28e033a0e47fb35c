"""Every public call, again and again: in many threads at once, and with an eye on memory."""
