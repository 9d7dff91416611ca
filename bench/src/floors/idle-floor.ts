import { WebSocketServer } from 'ws';
import { encodeGreeting, parseFloorArguments } from './arguments.ts';

/** The minimum memory of an idle connection: the floor greets each client, and keeps its connection open. */
const { port } = parseFloorArguments();
const server = new WebSocketServer({ host: '127.0.0.1', port, perMessageDeflate: false });

server.on('connection', (socket) => {
  socket.send(encodeGreeting(port));
  socket.on('message', () => {});
});
server.on('listening', () => console.log(`ready http://127.0.0.1:${port}`));
