"""The package's version, which stored runs and reports name. A change of any result is a new one."""

__version__ = "0.1.0"
