"""The methods of the protocol as tools of the Model Context Protocol, for models that use those."""
