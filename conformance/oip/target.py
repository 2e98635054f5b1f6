"""The server that is judged."""

import functools

from oip import expect, models
from oip.registry import Skip
from oip.rest import Rest, model_path
from oip.rpc import Rpc


class Target:
    """REST and gRPC to one server.

    A model that a check needs and the server lacks skips the check, or fails it when the model is
    among the expected ones.
    """

    def __init__(self, url, grpc_address=None, expected=()):
        self.rest = Rest(url)
        self.grpc_address = grpc_address or self.rest.address
        self.expected = {name for group in expected for name in models.SETS[group]}

    @functools.cached_property
    def _rpc_or_skip(self):
        try:
            return Rpc(self.grpc_address)
        except Skip as skip:
            return skip

    @property
    def rpc(self):
        if isinstance(self._rpc_or_skip, Skip):
            raise self._rpc_or_skip
        return self._rpc_or_skip

    def require_model(self, name):
        reason = self._lack_of(name)
        if reason and name in self.expected:
            expect.fail(f"model {name}", reason, "the fixture")
        if reason:
            raise Skip(reason)

    @functools.lru_cache(maxsize=None)
    def _lack_of(self, name):
        """Why a model cannot be used, or None."""
        reply = self.rest.get(model_path(name))
        if reply.status != 200:
            return f"no model {name}"
        metadata = reply.json()
        came = tuple(
            {tensor["name"]: tensor["datatype"] for tensor in metadata[side]}
            for side in ("inputs", "outputs")
        )
        if came != models.tensors_of(name):
            return f"model {name} has other tensors: {came}"
        return None

    def close(self):
        if "_rpc_or_skip" in self.__dict__ and not isinstance(self._rpc_or_skip, Skip):
            self._rpc_or_skip.close()
