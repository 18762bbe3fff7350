"""Socket.IO that begins with long polling and is then upgraded to WebSocket."""

import conversation
import socket_io_game

PATH = socket_io_game.PATH

if __name__ == "__main__":
    conversation.run(socket_io_game.serve, socket_io_game.talk_by_polling)
