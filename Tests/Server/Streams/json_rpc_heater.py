"""JSON-RPC 2.0 over WebSocket: calls, errors, notifications of both sides, and calls by the server.

The server is jsonrpcserver with websockets, the client is jsonrpc-websocket, whose identifiers are random.
"""

import asyncio
import json

import conversation
from conversation import PAUSE, Address, Listener, identifier, show

PATH = "/rpc"


async def serve(listener: Listener) -> None:
    import websockets
    from jsonrpcserver import Error, InvalidParams, Result, Success, async_dispatch, method

    @method
    async def add(_: websockets.ServerConnection, first: int, second: int) -> Result:
        return Success(first + second)

    @method
    async def heat(_: websockets.ServerConnection, room: str, degrees: float) -> Result:
        if degrees > 30:
            return InvalidParams(f"{degrees} is too warm for the {room}")
        return Success({"room": room, "degrees": degrees, "state": "heating"})

    @method
    async def fail(_: websockets.ServerConnection) -> Result:
        return Error(-32001, "The heater is cold", {"since": "morning"})

    @method
    async def note(_: websockets.ServerConnection, text: str) -> Result:
        return Success(text)

    @method
    async def watch(socket: websockets.ServerConnection, room: str) -> Result:
        """Returns the identifier of a subscription, which differs in each run, and then sends values."""
        subscription = identifier()
        socket.watching = asyncio.create_task(send_values(socket, subscription, room))
        return Success(subscription)

    @method
    async def unwatch(socket: websockets.ServerConnection, subscription: str) -> Result:
        await socket.watching
        return Success(socket.subscription == subscription)

    async def send_values(socket: websockets.ServerConnection, subscription: str, room: str) -> None:
        socket.subscription = subscription
        for value in (19.5, 20.0, 20.5):
            await asyncio.sleep(PAUSE)
            params = {"subscription": subscription, "room": room, "degrees": value}
            await socket.send(json.dumps({"jsonrpc": "2.0", "method": "changed", "params": params}))
        await socket.send(json.dumps({"jsonrpc": "2.0", "method": "confirm", "params": ["20.5?"], "id": identifier()}))

    async def respond(socket: websockets.ServerConnection) -> None:
        async for text in socket:
            message = json.loads(text)
            if "method" not in message:
                confirmed = {"jsonrpc": "2.0", "method": "confirmed", "params": [message["result"]]}
                await socket.send(json.dumps(confirmed))
            elif response := await async_dispatch(text, context=socket):
                await socket.send(response)

    async with websockets.serve(respond, "127.0.0.1", listener.port, ssl=listener.tls):
        await asyncio.get_running_loop().create_future()


async def talk(address: Address) -> None:
    import aiohttp
    from jsonrpc_base import ProtocolError
    from jsonrpc_websocket import Server

    async with aiohttp.ClientSession() as session:
        server = Server(address.url, session, compress=15, proxy=address.proxy, ssl=address.tls or True)
        changes: asyncio.Queue = asyncio.Queue()
        server.changed = lambda **values: changes.put_nowait(values)
        server.confirm = lambda question: f"yes: {question}"
        server.confirmed = changes.put_nowait
        await server.ws_connect()
        show(sum=await server.add(2, 3))
        show(heated=await server.heat(room="kitchen", degrees=21))
        for call in (server.heat(room="kitchen", degrees=90), server.fail(), server.cool(room="kitchen")):
            try:
                await call
            except ProtocolError as error:
                show(failed=error.args[2]["error"])
        await server.note(text="a notification", _notification=True)
        show(sums=await asyncio.gather(server.add(10, 1), server.add(20, 2), server.add(30, 3)))
        subscription = await server.watch(room="hall")
        for _ in range(3):
            values = await changes.get()
            show(changed=values | {"subscription": values["subscription"] == subscription})
        show(confirmed=await changes.get())
        show(ended=await server.unwatch(subscription=subscription))
        await server.close()


if __name__ == "__main__":
    conversation.run(serve, talk)
