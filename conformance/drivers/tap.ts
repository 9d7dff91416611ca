import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';

/** One whole protocol message that a tap has seen; `socket` counts the tap's connections from 1. */
export interface TappedMessage {
  readonly socket: number;
  readonly from: 'client' | 'server';
  readonly text: string;
}

/** Joins the frames of one direction of a connection into messages. */
export class FrameAssembler {
  #missing = 0;
  #parts: string[] = [];

  /** Adds one text frame. Returns the message if this frame completes one. The keepalive `0` is a message. */
  add(frame: string): string | undefined {
    if (this.#missing > 0) {
      this.#parts.push(frame);
      this.#missing -= 1;
      if (this.#missing > 0) return undefined;
      const text = this.#parts.join('');
      this.#parts = [];
      return text;
    }
    if (/^[1-9][0-9]{0,5}$/.test(frame)) {
      this.#missing = Number(frame);
      return undefined;
    }
    return frame;
  }
}

interface Pair {
  readonly client: WebSocket;
  readonly server: WebSocket;
}

/**
 * A relay in front of the server that records every message. It can hold the messages of the server, cut all
 * connections without a closing handshake, and send a frame to the clients as if it came from the server.
 */
export interface Tap {
  readonly id: string;
  readonly url: string;
  messages(): readonly TappedMessage[];
  cut(): void;
  hold(): void;
  release(): void;
  inject(text: string): void;
  close(): Promise<void>;
}

/** Opens a relay to a server on an ephemeral loopback port; the `Host` header is not changed. */
export async function openTap(serverUrl: string): Promise<Tap> {
  const messages: TappedMessage[] = [];
  const pairs = new Set<Pair>();
  const held: (() => void)[] = [];
  let isHolding = false;
  let socketCount = 0;

  const http = createServer();
  const relay = new WebSocketServer({ server: http });
  relay.on('connection', (client, request) => {
    const socket = ++socketCount;
    const server = new WebSocket(new URL(request.url ?? '/', serverUrl.replace('http', 'ws')), {
      headers: { host: request.headers.host ?? '' },
    });
    const pair: Pair = { client, server };
    pairs.add(pair);
    const record = (from: TappedMessage['from']) => {
      const assembler = new FrameAssembler();
      return (frame: string) => {
        const text = assembler.add(frame);
        if (text !== undefined) messages.push({ socket, from, text });
      };
    };
    const fromClient = record('client');
    const fromServer = record('server');
    const waiting: string[] = [];
    client.on('message', (data) => {
      fromClient(data.toString());
      if (server.readyState === WebSocket.OPEN) server.send(data.toString());
      else waiting.push(data.toString());
    });
    server.on('open', () => {
      for (const frame of waiting) server.send(frame);
    });
    server.on('message', (data) => {
      const deliver = () => {
        fromServer(data.toString());
        if (client.readyState === WebSocket.OPEN) client.send(data.toString());
      };
      if (isHolding) held.push(deliver);
      else deliver();
    });
    const end = () => {
      pairs.delete(pair);
      client.close();
      server.close();
    };
    client.on('close', end);
    server.on('close', end);
    client.on('error', end);
    server.on('error', end);
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;

  const cut = () => {
    held.length = 0;
    for (const { client, server } of pairs) {
      client.terminate();
      server.terminate();
    }
    pairs.clear();
  };
  return {
    id: randomUUID(),
    url: `http://127.0.0.1:${port}`,
    messages: () => messages,
    cut,
    hold: () => {
      isHolding = true;
    },
    release: () => {
      isHolding = false;
      for (const deliver of held.splice(0)) deliver();
    },
    inject: (text) => {
      for (const { client } of pairs) client.send(text);
    },
    close: async () => {
      cut();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}
