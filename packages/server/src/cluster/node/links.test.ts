import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { afterEach, expect, test } from 'vitest';
import { secretKey } from '../../platform/secret-key.ts';
import { CommitGate } from './commit-gate.ts';
import { Front } from './front.ts';
import { LinkServer, MAX_OPENING_LINKS_OF_HOST, openLink } from './links.ts';
import { holdOutput } from './output.ts';

const KEY = secretKey(Buffer.alloc(32, 1));
const OTHER_KEY = secretKey(Buffer.alloc(32, 2));

let stack = new AsyncDisposableStack();
afterEach(async () => {
  await stack.disposeAsync();
  stack = new AsyncDisposableStack();
});

async function listenForLinks(serve: (socket: Socket) => void, isServing = () => true): Promise<string> {
  const links = stack.use(
    await LinkServer.listen({ key: KEY, host: '127.0.0.1', port: 0, isServing, serve }),
  );
  return `127.0.0.1:${links.port}`;
}

/** Answers each text with the address of the client and the same text. */
function echo(socket: Socket): void {
  socket.on('data', (bytes) => socket.write(`${socket.remoteAddress} says ${bytes}`));
  socket.on('end', () => socket.end());
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  stack.defer(() => void server.close());
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function readText(socket: Socket): Promise<string> {
  const [bytes] = await once(socket, 'data');
  return String(bytes);
}

test('[D18] a link carries bytes in both directions, and the address of the client', async () => {
  const address = await listenForLinks(echo);
  const link = await openLink({ key: KEY, address, client: '203.0.113.9' });
  link.write('hello');
  expect(await readText(link)).toBe('203.0.113.9 says hello');
  link.destroy();
});

test('[D18] a node without the key of the cluster is rejected', async () => {
  const address = await listenForLinks(echo);
  await expect(openLink({ key: OTHER_KEY, address, client: '203.0.113.9' })).rejects.toThrow();
});

test('[D18] a peer that does not use the key at all is rejected', async () => {
  const address = await listenForLinks(echo);
  const port = Number(address.split(':')[1]);
  const plain = connect(port, '127.0.0.1');
  plain.write('GET / HTTP/1.1\r\n\r\n');
  plain.on('error', () => undefined).resume();
  const tls = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false });
  tls.on('error', () => undefined);
  await Promise.all([plain, tls].map((socket) => new Promise((resolve) => socket.on('close', resolve))));
  expect(plain.bytesRead + tls.bytesRead).toBeLessThan(1_000);
});

test('[D18] a host has a limited number of connections that have not proved the key, and any number of links', async () => {
  const address = await listenForLinks(echo);
  const port = Number(address.split(':')[1]);
  const link = await openLink({ key: KEY, address, client: '203.0.113.9' });
  const strangers: Socket[] = [];
  for (let count = 0; count < MAX_OPENING_LINKS_OF_HOST; count++) {
    const stranger = connect(port, '127.0.0.1');
    stranger.on('error', () => undefined);
    strangers.push(stranger);
  }
  await Promise.all(strangers.map((stranger) => once(stranger, 'connect')));
  await expect(openLink({ key: KEY, address, client: '203.0.113.9' })).rejects.toThrow();
  link.write('hello');
  expect(await readText(link)).toBe('203.0.113.9 says hello');
  link.destroy();
  for (const stranger of strangers) stranger.destroy();
  const open = (): Promise<Socket> => openLink({ key: KEY, address, client: '203.0.113.9' });
  await expect.poll(() => open().then(() => 'open', String)).toBe('open');
});

test('[D18] links that are ready do not count as connections that have not proved the key', async () => {
  const address = await listenForLinks(echo);
  for (let count = 0; count <= MAX_OPENING_LINKS_OF_HOST; count++)
    await openLink({ key: KEY, address, client: '203.0.113.9' });
});

test('[D18] a link with a first line that is too long is closed', async () => {
  const address = await listenForLinks(echo);
  await expect(openLink({ key: KEY, address, client: 'x'.repeat(500) })).rejects.toThrow();
});

test('[D18] a node that does not lead takes no link', async () => {
  const address = await listenForLinks(echo, () => false);
  await expect(openLink({ key: KEY, address, client: '203.0.113.9' })).rejects.toThrow('does not take');
});

test('[D18] a connection waits while the node that leads cannot serve yet', async () => {
  let isServing = false;
  const address = await listenForLinks(echo, () => isServing);
  const front = stack.use(new Front({ key: KEY, findLeader: () => address, serve: () => undefined }));
  const port = await listen(createServer((socket) => front.take(socket)));
  const client = connect(port, '127.0.0.1');
  client.write('hello');
  await expect(openLink({ key: KEY, address, client: '203.0.113.9' })).rejects.toThrow();
  isServing = true;
  expect(await readText(client)).toBe('127.0.0.1 says hello');
  client.destroy();
});

test('[D18] when another node leads, connections through the one before end, and connections that wait do not', async () => {
  const address = await listenForLinks(echo);
  let leader: string | undefined = address;
  const front = stack.use(new Front({ key: KEY, findLeader: () => leader, serve: () => undefined }));
  const port = await listen(createServer((socket) => front.take(socket)));
  const passed = connect(port, '127.0.0.1');
  passed.write('hello');
  await readText(passed);
  leader = undefined;
  const waiting = connect(port, '127.0.0.1');
  waiting.write('hello');
  await once(waiting, 'connect');
  const ended = once(passed, 'close');
  front.endConnections();
  await ended;
  leader = address;
  expect(await readText(waiting)).toBe('127.0.0.1 says hello');
  waiting.destroy();
});

test('[D18] a node that does not lead passes the connections of its clients on', async () => {
  const address = await listenForLinks(echo);
  let leader: string | undefined;
  const front = stack.use(new Front({ key: KEY, findLeader: () => leader, serve: () => undefined }));
  const port = await listen(createServer((socket) => front.take(socket)));
  const client = connect(port, '127.0.0.1');
  client.write('hello');
  // The client waits until a node leads.
  leader = address;
  expect(await readText(client)).toBe('127.0.0.1 says hello');
  front.endConnections();
  await once(client, 'close');
});

test('[D18] a connection that waits is served by its node if that begins to lead', async () => {
  const front = stack.use(new Front({ key: KEY, findLeader: () => undefined, serve: echo }));
  const port = await listen(createServer((socket) => front.take(socket)));
  const client = connect(port, '127.0.0.1');
  client.write('hello');
  await once(client, 'connect');
  front.serve();
  expect(await readText(client)).toBe('127.0.0.1 says hello');
  client.destroy();
});

test('[D17] a connection sends what is committed, in order', async () => {
  const gate = new CommitGate(() => true);
  const port = await listen(
    createServer((socket) => {
      holdOutput(socket, gate);
      const first = gate.execute();
      socket.write('first ');
      socket.write('second');
      socket.once('data', () => gate.commit(first));
    }),
  );
  const client = connect(port, '127.0.0.1');
  let text = '';
  client.on('data', (bytes) => {
    text += String(bytes);
  });
  client.write('commit');
  await expect.poll(() => text).toBe('first second');
  client.destroy();
});
