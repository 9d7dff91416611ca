import { join } from 'node:path';
import { open } from 'lmdb';
import { type WebSocket, WebSocketServer } from 'ws';
import { encodeGreeting, parseFloorArguments } from './arguments.ts';

type PutMessage = {
  readonly d: { readonly r: number; readonly b: { readonly p: string; readonly d: unknown } };
};
type Pending = { readonly socket: WebSocket; readonly message: PutMessage };

/** The minimum work of a server with durable writes. */
const { port, dataDirectory } = parseFloorArguments();
const database = open<string, string>({ path: join(dataDirectory, 'data.mdb'), encoding: 'string' });
const server = new WebSocketServer({ host: '127.0.0.1', port, perMessageDeflate: false });
let pending: Pending[] = [];

/**
 * Stores all writes that arrived in this iteration of the event loop in one durable transaction, then acknowledges
 * them.
 */
function commit(): void {
  const batch = pending;
  pending = [];
  database.transactionSync(() => {
    for (const { message } of batch) database.putSync(message.d.b.p, JSON.stringify(message.d.b.d));
  });
  for (const { socket, message } of batch) {
    socket.send(JSON.stringify({ t: 'd', d: { r: message.d.r, b: { s: 'ok', d: '' } } }));
  }
}

server.on('connection', (socket) => {
  socket.send(encodeGreeting(port));
  socket.on('message', (data) => {
    // The floor does not validate messages, because it measures the minimum work.
    const message = JSON.parse(String(data)) as PutMessage;
    if (pending.length === 0) setImmediate(commit);
    pending.push({ socket, message });
  });
});
server.on('listening', () => console.log(`ready http://127.0.0.1:${port}`));
