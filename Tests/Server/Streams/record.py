"""Records the conversations of this folder through `har proxy` into `Recordings/`, each with the output of its client.

    record.py HAR-SERVE [NAME ...]

Each client first talks to its server without the proxy, and must print the same. Needs Debian's package
rabbitmq-server, and from PyPI the packages in `clients.txt` and `servers.txt`.
"""

import importlib
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import time

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.append(str(FOLDER.parent))

from serving import make_certificate, recording  # noqa: E402

NAMES = ["graphql_bakery", "json_rpc_heater", "socket_io_game", "socket_io_polling", "stomp_parcels"]
PORT = 8771
"""The port of the first server. It is fixed to minimize differences from the previous archives."""


def wait_for(port: int, server: subprocess.Popen) -> None:
    """Returns when a server accepts connections."""
    for _ in range(600):
        assert server.poll() is None, "the server has ended"
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise AssertionError(f"no server on port {port}")


def talk(name: str, url: str, trust: pathlib.Path, *options: str) -> str:
    """Returns the output of a client."""
    command = [sys.executable, FOLDER / f"{name}.py", "talk", url, "--trust", trust, *options]
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=40).stdout


def main() -> None:
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        os.environ["XDG_DATA_HOME"] = temporary
        certificate, key = make_certificate(folder)
        for number, name in enumerate(NAMES):
            if sys.argv[2:] and name not in sys.argv[2:]:
                continue
            # The broker needs two more ports.
            port = PORT + number
            server = subprocess.Popen([sys.executable, FOLDER / f"{name}.py", "serve", str(port), certificate, key])
            try:
                wait_for(port, server)
                url = f"wss://localhost:{port}{importlib.import_module(name).PATH}"
                direct = talk(name, url, certificate)
                archive = FOLDER / "Recordings" / f"{name}.har"
                archive.unlink(missing_ok=True)
                with recording(archive, "--trust", certificate) as (proxy, _):
                    seen = talk(name, url, folder / "relay" / "certificate.pem", "--proxy", proxy)
                assert seen == direct, (seen, direct)
                archive.with_suffix(".seen.jsonl").write_text(seen, encoding="utf-8")
                print(f"{name}: {len(seen.splitlines())} lines, {archive.stat().st_size:,} bytes")
            finally:
                server.terminate()
                server.wait()


if __name__ == "__main__":
    main()
