"""A kernel's messages to the browser without TCP's wait: a widget's answer is there 40 milliseconds sooner."""

from __future__ import annotations

from typing import Any

from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection


class PromptConnection(ZMQChannelsWebsocketConnection):
    """What Jupyter servers send through, for their option ``kernel_websocket_connection_class``.

    A kernel says that it is busy and then sends its answer. Without this the system holds the second message back
    until the first one is confirmed (Nagle's algorithm), which the other end puts off for about 40 milliseconds.

    Notes
    -----
    `nambarz app` and `make lab` set it. By hand:
    ``jupyter lab --ServerApp.kernel_websocket_connection_class=nambarz_sim.prompt_sockets.PromptConnection``
    """

    def connect(self) -> Any:
        """Begin to pass messages on, each at once."""
        self.websocket_handler.set_nodelay(True)
        return super().connect()
