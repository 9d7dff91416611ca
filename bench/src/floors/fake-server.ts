import { appendFileSync, existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type WebSocket, WebSocketServer } from 'ws';
import { MessageAssembler, splitMessage } from '../client/frames.ts';
import { isRecord, type JsonRecord } from '../client/json.ts';
import { evaluateNaively } from '../crash/queries.ts';
import { encodeGreeting, parseFloorArguments } from './arguments.ts';

/** Nested maps with JSON leaves. Changed in place. */
export type MutableTree = Map<string, unknown>;

/** Replaces the value at a path. `null` removes the value and every parent that becomes empty. */
function applyWrite(tree: MutableTree, path: string, value: unknown): void {
  applyAt(tree, path.split('/').filter(Boolean), value);
}

function applyAt(tree: MutableTree, keys: readonly string[], value: unknown): void {
  const [key, ...rest] = keys;
  if (key === undefined) return;
  if (rest.length === 0) {
    const stored = toStored(value);
    if (stored === undefined) tree.delete(key);
    else tree.set(key, stored);
    return;
  }
  const existing = tree.get(key);
  const child: MutableTree = existing instanceof Map ? existing : new Map();
  applyAt(child, rest, value);
  if (child.size === 0) tree.delete(key);
  else tree.set(key, child);
}

function toStored(value: unknown): unknown {
  if (value === null || value === undefined) return undefined;
  if (!isRecord(value)) return value;
  const children = Object.entries(value).map(([key, child]): [string, unknown] => [key, toStored(child)]);
  const kept = children.filter(([, child]) => child !== undefined);
  return kept.length === 0 ? undefined : new Map(kept);
}

/** Returns the JSON value at a path; `null` if there is none. */
function readTree(tree: MutableTree, path: string): unknown {
  let node: unknown = tree;
  for (const key of path.split('/').filter(Boolean)) node = node instanceof Map ? node.get(key) : undefined;
  return fromStored(node);
}

function fromStored(node: unknown): unknown {
  if (node === undefined) return null;
  if (!(node instanceof Map)) return node;
  const result: Record<string, unknown> = {};
  for (const [key, child] of node) result[String(key)] = fromStored(child);
  return result;
}

/**
 * Returns the children that a query selects, except the last `dropped` of them. Dropping children simulates a
 * wrong index.
 */
function queryTree(value: unknown, query: JsonRecord, dropped: number): unknown {
  if (!isRecord(value)) return null;
  const keys = evaluateNaively(value, query);
  const kept = keys.slice(0, keys.length - dropped);
  return kept.length === 0 ? null : Object.fromEntries(kept.map((key) => [key, value[key]]));
}

/**
 * A fake server with which the bench tests its own checks: a tree in memory, and a journal that the server
 * writes before each response. It never flushes the disk, so its data survives a kill of the process, but not a
 * power failure. With `--lie` it breaks one promise: `forgetful` writes its journal after the response, `torn`
 * writes an update path by path, `misindexed` omits one child from query results, `ending` ends at its first start on data,
 * `stuck` is never ready on data.
 */
const { port, dataDirectory, lie } = parseFloorArguments();
const journalFile = join(dataDirectory, 'journal');
const tree: MutableTree = new Map();
const listens = new Map<WebSocket, Set<string>>();
let unwritten = '';
/** Resolves when all earlier requests are answered. */
let answered = Promise.resolve();

type Write = { readonly path: string; readonly value: unknown };
type ClientMessage = { readonly d: { readonly r: number; readonly a: string; readonly b: unknown } };

function replayJournal(): void {
  if (!existsSync(journalFile)) return;
  const text = readFileSync(journalFile, 'utf8');
  const complete = text.slice(0, text.lastIndexOf('\n') + 1);
  // Removes an incomplete last line, which the process was writing when it was killed, so that the next line
  // does not continue it.
  truncateSync(journalFile, Buffer.byteLength(complete));
  for (const line of complete.split('\n').slice(0, -1))
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
      const writes = Object.entries(isRecord(body['d']) ? body['d'] : {}).map(([relativePath, value]) => ({
        path: `${path}/${relativePath}`,
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
    const { d: message } = JSON.parse(complete) as ClientMessage;
    answered = answered.then(async () => {
      const result = await answer(socket, message.a, message.b);
      send(socket, { r: message.r, b: { s: 'ok', d: result } });
    });
  });
});
/** Exists when the server has ended once on data. */
const endedFile = join(dataDirectory, 'ended');
const hasData = existsSync(journalFile);
if (hasData && lie === 'stuck') setInterval(() => undefined, 60_000);
else if (hasData && lie === 'ending' && !existsSync(endedFile))
  // The bench also kills servers that have just been started.
  setTimeout(() => {
    writeFileSync(endedFile, '');
    process.exit(1);
  }, 1_000);
else http.listen(port, '127.0.0.1', () => console.log(`ready http://127.0.0.1:${port}`));
