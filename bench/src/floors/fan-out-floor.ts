import { createServer } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { encodeServerFrame } from '../client/frames.ts';
import { encodeGreeting, parseFloorArguments } from './arguments.ts';

type ClientMessage = {
  readonly d: {
    readonly r: number;
    readonly a: string;
    readonly b: { readonly p: string; readonly d: unknown };
  };
};

/** The minimum work of a fan-out: one frame, which is encoded once and written to every listener. */
const { port } = parseFloorArguments();
const http = createServer();
const server = new WebSocketServer({ noServer: true, perMessageDeflate: false });
const listeners = new Set<Duplex>();

/**
 * Executes a request and returns the response. A listen adds its raw socket to `listeners`; a put writes one
 * frame to each of them.
 */
function answer(socket: Duplex, message: ClientMessage): string {
  const { r: request, a: action, b: body } = message.d;
  if (action === 'q') {
    listeners.add(socket);
    return JSON.stringify({ t: 'd', d: { r: request, b: { s: 'ok', d: {} } } });
  }
  const push = encodeServerFrame(
    JSON.stringify({ t: 'd', d: { a: 'd', b: { p: body.p.slice(1), d: body.d } } }),
  );
  for (const listener of listeners) listener.write(push);
  return JSON.stringify({ t: 'd', d: { r: request, b: { s: 'ok', d: '' } } });
}

http.on('upgrade', (request, socket, head) => {
  server.handleUpgrade(request, socket, head, (webSocket) => {
    webSocket.send(encodeGreeting(port));
    // The floor does not validate messages, because it measures the minimum work.
    webSocket.on('message', (data) =>
      webSocket.send(answer(socket, JSON.parse(String(data)) as ClientMessage)),
    );
    webSocket.on('close', () => listeners.delete(socket));
  });
});
http.listen(port, '127.0.0.1', () => console.log(`ready http://127.0.0.1:${port}`));
