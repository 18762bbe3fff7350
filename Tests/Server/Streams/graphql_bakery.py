"""GraphQL over WebSocket (graphql-transport-ws): queries, a mutation, errors, and subscriptions at the same time.

The server is Strawberry, the client is gql, whose identifiers begin with a random number here.
"""

import asyncio
import logging
import uuid
from collections.abc import AsyncGenerator

import conversation
from conversation import PAUSE, Address, Listener, show

PATH = "/graphql"


def serve(listener: Listener) -> None:
    import strawberry
    from strawberry.asgi import GraphQL

    # The errors are part of the conversation.
    logging.disable()

    @strawberry.type
    class Bread:
        name: str
        price: float

    @strawberry.type
    class Order:
        number: int
        state: str

    @strawberry.type
    class Query:
        @strawberry.field
        def breads(self) -> list[Bread]:
            return [Bread(name="Rye", price=3.5), Bread(name="Brötchen 🥖", price=0.4)]

    @strawberry.type
    class Mutation:
        @strawberry.mutation
        def order(self, bread: str, count: int) -> Order:
            if bread != "Rye":
                raise ValueError(f"{bread} is sold out")
            return Order(number=40 + count, state="received")

    @strawberry.type
    class Subscription:
        @strawberry.subscription
        async def order(self, number: int) -> AsyncGenerator[Order, None]:
            for state in ("kneading", "baking", "ready"):
                yield Order(number=number, state=state)
                await asyncio.sleep(PAUSE)

        @strawberry.subscription
        async def oven(self) -> AsyncGenerator[int, None]:
            """Sends two values, and then nothing until the client ends the subscription."""
            for degrees in (180, 220):
                yield degrees
                await asyncio.sleep(PAUSE)
            await asyncio.Event().wait()

    conversation.uvicorn(GraphQL(strawberry.Schema(Query, Mutation, Subscription)), listener)


async def talk(address: Address) -> None:
    from gql import Client, gql
    from gql.transport.exceptions import TransportQueryError
    from gql.transport.websockets import WebsocketsTransport

    transport = WebsocketsTransport(
        address.url, ssl=address.tls or False, init_payload={"language": "en"}, connect_args={"proxy": address.proxy},
        subprotocols=[WebsocketsTransport.GRAPHQLWS_SUBPROTOCOL])
    order = gql("mutation ($bread: String!, $count: Int!) { order(bread: $bread, count: $count) { number state } }")
    async with Client(transport=transport, fetch_schema_from_transport=False) as session:
        transport.next_query_id = uuid.uuid4().int
        show(connected=transport.payloads["connection_ack"])
        show(breads=await session.execute(gql("{ breads { name price } }")))
        for bread in ("Rye", "Cake"):
            order.variable_values = {"bread": bread, "count": 2}
            try:
                show(ordered=await session.execute(order))
            except TransportQueryError as error:
                show(refused=error.errors)
        try:
            await session.execute(gql("{ cakes }"))
        except TransportQueryError as error:
            show(invalid=error.errors)

        async def states(number: int) -> list:
            subscription = gql("subscription ($number: Int!) { order(number: $number) { number state } }")
            subscription.variable_values = {"number": number}
            return [value async for value in session.subscribe(subscription)]

        for values in await asyncio.gather(states(42), states(43)):
            show(states=values)
        oven = session.subscribe(gql("subscription { oven }"))
        show(oven=[await anext(oven), await anext(oven)])
        await oven.aclose()
        show(breads=await session.execute(gql("{ breads { name } }")))


if __name__ == "__main__":
    conversation.run(serve, talk)
