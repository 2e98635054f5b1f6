"""A client of the Open Inference Protocol v2 that shares no code with any server."""
