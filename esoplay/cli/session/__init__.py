"""The actions of ``esoplay session``: each module adds some, see ``shared.Actions``."""
