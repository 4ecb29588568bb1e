"""What is said where a library is not installed."""


def missing(what: str, library: str, extra: str = "") -> ImportError:
    """The error that names the extra; without a name, it is that of the library.

    >>> raise missing("from_pysat", "python-sat", "pysat")
    Traceback (most recent call last):
    ImportError: from_pysat needs python-sat: pip install 'paretoball[pysat]'
    """
    install = f"pip install 'paretoball[{extra or library}]'"
    return ImportError(f"{what} needs {library}: {install}", name=library)
