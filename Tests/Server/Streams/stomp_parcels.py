"""STOMP 1.2 over WebSocket: receipts, acknowledgments, a transaction, a temporary queue, and an error.

The server is RabbitMQ with rabbitmq_web_stomp (Debian's package rabbitmq-server), the client is stomp.py, whose
identifiers are random here.
"""

import contextlib
import os
import pathlib
import queue
import re
import signal
import subprocess
import tempfile
import urllib.parse

import stomp
from stomp.adapter.ws import WSStompConnection
from stomp.utils import Frame

import conversation
from conversation import Address, Listener, identifier, show

PATH = "/ws"
BROKER = "/usr/lib/rabbitmq/lib"
CONFIGURATION = """
listeners.tcp = none
web_stomp.ssl.port = {port}
web_stomp.ssl.ip = 127.0.0.1
web_stomp.ssl.certfile = {certificate}
web_stomp.ssl.keyfile = {key}
stomp.listeners.tcp = none
default_user = {user}
default_pass = {passcode}
"""
USER, PASSCODE = "harbor", "Zx81kQ0vTn4mB7yW"
"""The login. The archive contains a placeholder instead of the passcode."""


def serve(listener: Listener) -> None:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = pathlib.Path(name)
        configuration = CONFIGURATION.format(**listener._asdict(), user=USER, passcode=PASSCODE)
        (folder / "rabbitmq.conf").write_text(configuration)
        (folder / "plugins").write_text("[rabbitmq_web_stomp].")
        # The ports of the node, next to that of the listener.
        environment = os.environ | {
            "HOME": name, "RABBITMQ_NODENAME": "relay@localhost", "RABBITMQ_CONFIG_FILE": f"{name}/rabbitmq.conf",
            "RABBITMQ_ENABLED_PLUGINS_FILE": f"{name}/plugins", "RABBITMQ_MNESIA_BASE": f"{name}/data",
            "RABBITMQ_LOG_BASE": f"{name}/log", "RABBITMQ_DIST_PORT": str(listener.port + 1),
            "ERL_EPMD_PORT": str(listener.port + 2), "ERL_EPMD_ADDRESS": "127.0.0.1"}
        program = next(pathlib.Path(BROKER).glob("rabbitmq_server-*/sbin/rabbitmq-server"))
        # The group contains the runtime, which the script starts.
        process = subprocess.Popen([program], env=environment, stdout=subprocess.DEVNULL, start_new_session=True)
        signal.signal(signal.SIGTERM, lambda *_: os.killpg(process.pid, signal.SIGTERM))
        process.wait()
        with contextlib.suppress(OSError):
            subprocess.run(["epmd", "-kill"], check=False, env=environment, stdout=subprocess.DEVNULL)


class Conversation(stomp.ConnectionListener):
    """A connection to the broker, whose frames are printed when they are expected."""

    def __init__(self, address: Address) -> None:
        url = urllib.parse.urlsplit(address.url)
        host = (url.hostname, url.port)
        self.connection = WSStompConnection([host], vhost="/", ws_path=url.path, try_loopback_connect=False)
        if address.tls:
            self.connection.set_ssl([host], ca_certs=str(address.trust))
        self.connection.set_listener("", self)
        self.frames: queue.Queue = queue.Queue()
        self.names: dict[str, str] = {}
        self.connection.connect(USER, PASSCODE, wait=False)
        self.names[self.frames.get(timeout=10).headers["session"]] = "SESSION"

    def on_connected(self, frame: Frame) -> None:
        self.frames.put(frame)

    on_message = on_receipt = on_error = on_connected

    def on_disconnected(self) -> None:
        self.frames.put(Frame("DISCONNECTED"))

    def named(self, name: str) -> str:
        """Returns an identifier of this run, which is printed as a name."""
        value = identifier()
        self.names[value] = name
        return value

    def expect(self) -> Frame:
        """Prints the next frame without identifiers."""
        frame = self.frames.get(timeout=10)
        fields = {field: self.plain(value) for field, value in frame.headers.items()}
        show(frame=frame.cmd, fields=fields, body=frame.body)
        return frame

    def plain(self, value: str) -> str:
        for known, name in self.names.items():
            value = value.replace(known, name)
        return re.sub("/(reply-queue/|queue/)amq.*", r"/\1RANDOM", value)


def talk(address: Address) -> None:
    # websocket-client reads the proxy from the environment, and by default uses none for localhost.
    os.environ |= {"http_proxy": address.proxy or "", "https_proxy": address.proxy or "", "no_proxy": "none.invalid"}
    broker = Conversation(address)
    connection, expect, named = broker.connection, broker.expect, broker.named
    parcels, transaction = named("PARCELS"), named("TRANSACTION")
    connection.subscribe("/queue/parcels", parcels, ack="client-individual", headers={"receipt": named("SUBSCRIBED")})
    expect()
    for body in ("a book 📕", '{"parcel": 7, "weight": 1.5}'):
        connection.send("/queue/parcels", body, "text/plain", headers={"parcel": "blue"})
        connection.ack(expect().headers["ack"])
    connection.begin(transaction)
    connection.send("/queue/parcels", "two\nlines", transaction=transaction)
    connection.commit(transaction, headers={"receipt": named("COMMITTED")})
    # The receipt and the message can arrive in any order.
    for frame in (expect(), expect()):
        if "ack" in frame.headers:
            connection.nack(frame.headers["ack"], requeue="false")
    question = {"reply-to": "/temp-queue/answers", "correlation-id": named("QUESTION")}
    connection.send("/queue/parcels", "a question", headers=question)
    question = expect().headers
    connection.ack(question["ack"])
    connection.send(question["reply-to"], "an answer", headers={"correlation-id": question["correlation-id"]})
    expect()
    connection.unsubscribe(parcels, headers={"receipt": named("UNSUBSCRIBED")})
    expect()
    # RabbitMQ closes the connection without a receipt.
    connection.disconnect()
    expect()

    refused = Conversation(address)
    refused.connection.send("/nowhere/parcels", "lost")
    refused.expect()
    refused.connection.transport.disconnect_socket()
    refused.expect()


if __name__ == "__main__":
    conversation.run(serve, talk)
