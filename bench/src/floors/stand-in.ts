import { appendFileSync, existsSync, readFileSync, truncateSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type WebSocket, WebSocketServer } from 'ws';
import { isRecord } from '../client/json.ts';
import { MessageAssembler, splitMessage } from '../client/segment.ts';
import { parseFloorArguments } from './arguments.ts';
import { encodeGreeting } from './greeting.ts';
import { applyWrite, type MutableTree, queryTree, readTree } from './stand-in-tree.ts';

/**
 * A server for checking the bench itself: a tree in memory and a journal on disk, written before each answer.
 * Enough for a killed process; it never flushes the disk. With `--lie` it breaks one promise:
 * `forgetful` writes its journal later, `torn` writes an update path by path, `misindexed` leaves one child out of queries.
 */
const { port, dataDirectory, lie } = parseFloorArguments();
const journalFile = join(dataDirectory, 'journal');
const tree: MutableTree = new Map();
const listens = new Map<WebSocket, Set<string>>();
let unwritten = '';
let turn = Promise.resolve();

type Write = { readonly path: string; readonly value: unknown };
type UpMessage = { readonly d: { readonly r: number; readonly a: string; readonly b: unknown } };

function replayJournal(): void {
  if (!existsSync(journalFile)) return;
  const text = readFileSync(journalFile, 'utf8');
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  // What follows is a line that was being written when the process died: the next one must not go on behind it.
  truncateSync(journalFile, Buffer.byteLength(whole));
  for (const line of whole.split('\n').slice(0, -1))
    for (const write of JSON.parse(line) as Write[]) applyWrite(tree, write.path, write.value);
}

function record(writes: readonly Write[]): void {
  const line = `${JSON.stringify(writes)}\n`;
  if (lie === 'forgetful') unwritten += line;
  else appendFileSync(journalFile, line);
}

async function store(writes: readonly Write[]): Promise<void> {
  for (const write of writes) applyWrite(tree, write.path, write.value);
  if (lie !== 'torn' || writes.length < 2) {
    record(writes);
    return;
  }
  for (const write of writes) {
    record([write]);
    await delay(2);
  }
}

function send(socket: WebSocket, payload: unknown): void {
  for (const text of splitMessage(JSON.stringify({ t: 'd', d: payload }))) socket.send(text);
}

function push(write: Write): void {
  for (const [socket, paths] of listens) {
    for (const path of paths) {
      if (!`${write.path}/`.startsWith(`${path}/`)) continue;
      send(socket, { a: 'd', b: { p: write.path.slice(1), d: write.value } });
    }
  }
}

async function answer(socket: WebSocket, action: string, body: unknown): Promise<unknown> {
  if (!isRecord(body)) return '';
  const path = String(body['p']);
  switch (action) {
    case 'q':
      listens.get(socket)?.add(path);
      send(socket, { a: 'd', b: { p: path.slice(1), d: readTree(tree, path) } });
      return {};
    case 'g': {
      const query = body['q'];
      if (!isRecord(query) || Object.keys(query).length === 0) return readTree(tree, path);
      return queryTree(readTree(tree, path), query, lie === 'misindexed' ? 1 : 0);
    }
    case 'p': {
      const write = { path, value: body['d'] };
      await store([write]);
      push(write);
      return '';
    }
    case 'm': {
      const writes = Object.entries(isRecord(body['d']) ? body['d'] : {}).map(([below, value]) => ({
        path: `${path}/${below}`,
        value,
      }));
      await store(writes);
      for (const write of writes) push(write);
      return '';
    }
    default:
      return '';
  }
}

replayJournal();
if (lie === 'forgetful') {
  setInterval(() => {
    appendFileSync(journalFile, unwritten);
    unwritten = '';
  }, 150);
}
const http = createServer((_request, response) => response.end('{"status":"ok"}'));
const server = new WebSocketServer({ server: http, perMessageDeflate: false });
server.on('connection', (socket) => {
  const assembler = new MessageAssembler();
  listens.set(socket, new Set());
  socket.send(encodeGreeting(port));
  socket.on('close', () => listens.delete(socket));
  socket.on('message', (data) => {
    const complete = assembler.accept(String(data));
    if (complete === undefined) return;
    const { d: message } = JSON.parse(complete) as UpMessage;
    turn = turn.then(async () => {
      const result = await answer(socket, message.a, message.b);
      send(socket, { r: message.r, b: { s: 'ok', d: result } });
    });
  });
});
http.listen(port, '127.0.0.1', () => console.log(`ready http://127.0.0.1:${port}`));
