"""Socket.IO: events, acknowledgments in both directions, binary data, a namespace, and a disconnection by the server.

Server and client are python-socketio. The client begins with WebSocket, or with long polling (`socket_io_polling.py`).
"""

import asyncio
import itertools
import random

import conversation
from conversation import PAUSE, Address, Listener, identifier, show

PATH = "/socket.io/"


def serve(listener: Listener) -> None:
    import socketio

    server = socketio.AsyncServer(async_mode="asgi", cors_allowed_origins="*")

    @server.event
    async def connect(sid: str, _: dict, auth: dict | None) -> None:
        await server.emit("welcome", {"player": (auth or {}).get("player"), "players": 2}, to=sid)

    @server.event
    async def join(sid: str, values: dict) -> dict:
        await server.enter_room(sid, values["room"])
        return {"room": values["room"], "message": values["message"], "players": ["Ada", "Grace"]}

    @server.event
    async def draw(sid: str, data: bytes, label: str) -> tuple:
        await server.emit("drawn", (data[::-1], {"label": label, "parts": [b"\x00\x01", b"\xff"]}), to=sid)
        return len(data), label

    @server.event
    async def play(sid: str, values: dict) -> None:
        """Sends moves, asks the client for one, and ends the connection."""
        for move in ("e4", "e5"):
            await asyncio.sleep(PAUSE)
            await server.emit("moved", {"move": move, "game": values["game"]}, room=values["room"])

        async def end(move: str) -> None:
            await server.emit("ended", f"{move} wins", to=sid)
            await server.disconnect(sid)

        await server.emit("your turn", ["Nf3", "d4"], to=sid, callback=end)

    @server.on("connect", namespace="/news")
    async def connect_to_news(sid: str, *_: object) -> None:
        await server.emit("headline", "Größte Partie ♟", to=sid, namespace="/news")

    conversation.uvicorn(socketio.ASGIApp(server), listener)


async def talk(address: Address, transports: list[str]) -> None:
    import aiohttp
    import socketio

    connector = aiohttp.TCPConnector(ssl=address.tls or True)
    async with aiohttp.ClientSession(connector=connector, proxy=address.proxy) as session:
        client = socketio.AsyncClient(http_session=session, reconnection=False)
        game = identifier()
        seen: dict[str, asyncio.Queue] = {}

        def note(event: str, *values: object) -> None:
            seen.setdefault(event, asyncio.Queue()).put_nowait(values)

        async def expect(event: str) -> None:
            values = await asyncio.wait_for(seen.setdefault(event, asyncio.Queue()).get(), 10)
            show(event=event, values=[plain(value, game) for value in values])

        for event in ("welcome", "drawn", "moved", "ended"):
            client.on(event, lambda *values, event=event: note(event, *values))
        client.on("headline", lambda value: note("headline", value), namespace="/news")
        client.on("disconnect", lambda *_: note("disconnect"))

        @client.on("your turn")
        async def choose(moves: list) -> str:
            note("your turn", moves)
            return moves[0]

        # The first number of an acknowledgment differs in each run.
        client.callbacks["/"] = {0: itertools.count(random.randrange(100, 1000))}
        await client.connect(
            address.url, transports=transports, namespaces=["/", "/news"], auth={"player": "Ada"}, wait_timeout=10)
        await expect("welcome")
        await expect("headline")
        show(transport=client.transport())
        show(joined=plain(await client.call("join", {"room": "red", "message": game}, timeout=10), game))
        show(drawn=await client.call("draw", (bytes(range(64)), "a line"), timeout=10))
        await expect("drawn")
        await client.emit("play", {"room": "red", "game": game})
        for event in ("moved", "moved", "your turn", "ended", "disconnect"):
            await expect(event)
        await client.disconnect()


def plain(value: object, game: str) -> object:
    """Returns a value as JSON, without the identifier of this run."""
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, list | tuple):
        return [plain(item, game) for item in value]
    if isinstance(value, dict):
        return {name: plain(item, game) for name, item in value.items()}
    return "the game" if value == game else value


async def talk_by_websocket(address: Address) -> None:
    await talk(address, ["websocket"])


async def talk_by_polling(address: Address) -> None:
    await talk(address, ["polling", "websocket"])


if __name__ == "__main__":
    conversation.run(serve, talk_by_websocket)
