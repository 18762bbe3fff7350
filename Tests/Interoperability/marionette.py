"""Drives Firefox through its remote protocol, Marionette."""

from __future__ import annotations

import json
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

LISTENING = "Listening on port"
PATIENCE = 120.0
"""The time limit for a command, in seconds."""


class Marionette:
    """A connection to Firefox. Each command has one response."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        self.stream = self.socket.makefile("rb")
        self.sent = 0
        self.receive()
        self.call("WebDriver:NewSession")
        self.call("WebDriver:SetTimeouts", script=PATIENCE * 1000)

    def receive(self) -> Any:
        """Reads a message: its length in decimal, a colon, and JSON."""
        length = b""
        while (digit := self.stream.read(1)) != b":":
            if not digit:
                raise ConnectionError("Firefox closed the connection")
            length += digit
        return json.loads(self.stream.read(int(length)))

    def call(self, command: str, **arguments: Any) -> Any:
        self.sent += 1
        message = json.dumps([0, self.sent, command, arguments]).encode()
        self.socket.sendall(b"%d:%b" % (len(message), message))
        _, _, error, result = self.receive()
        if error:
            raise RuntimeError(f"{command}: {error['message']}")
        return result

    def navigate(self, url: str) -> None:
        self.call("WebDriver:Navigate", url=url)

    def run(self, script: str, *arguments: Any, context: str = "content") -> Any:
        """Evaluates the body of an asynchronous function in the page or, with `chrome`, in the browser."""
        self.call("Marionette:SetContext", value=context)
        body = f"""
            const done = arguments[arguments.length - 1];
            const script = async (...given) => {{ {script} }};
            script(...arguments).then((value) => done([value]), (error) => done(`${{error}}`));
        """
        answer = self.call("WebDriver:ExecuteAsyncScript", script=body, args=arguments)["value"]
        self.call("Marionette:SetContext", value="content")
        if isinstance(answer, str):
            raise RuntimeError(answer)
        return answer[0]

    def quit(self) -> None:
        self.call("Marionette:Quit", flags=["eForceQuit"])
        self.stream.close()
        self.socket.close()


@contextmanager
def running_firefox(program: str, preferences: dict[str, Any]) -> Iterator[Marionette]:
    """Runs Firefox without a window. Its profile is deleted at the end of the block."""
    with TemporaryDirectory() as profile:
        settings = {"marionette.port": 0, **preferences}
        lines = (f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in settings.items())
        (Path(profile) / "user.js").write_text("".join(lines), encoding="utf-8")
        command = [program, "--headless", "--no-remote", "--marionette", "--remote-allow-system-access"]
        command += ["--profile", profile]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
            assert process.stdout is not None
            try:
                line = next((line for line in process.stdout if LISTENING in line), "")
                if not line:
                    raise RuntimeError("Firefox did not start")
                firefox = Marionette(int(line.split()[-1]))
                yield firefox
                firefox.quit()
                process.communicate(timeout=PATIENCE)
            finally:
                process.kill()
