import { RequestError } from '@hearth/core/error/request-error.ts';
import { parseNamedQuery } from '@hearth/core/query/fields.ts';
import { parseRules } from '@hearth/core/rules/compile/rules.ts';
import { parsePath } from '@hearth/core/tree/path.ts';
import { beforeEach, expect, test } from 'vitest';
import { ADMIN } from '../../access/principal.ts';
import { createLogger } from '../../platform/logger.ts';
import { OPEN_RULES } from '../../rules/publishing/versions.ts';
import { MemoryStore } from '../../storage/kv/memory.ts';
import { EmbeddedLog } from '../../storage/log/embedded.ts';
import type { OutgoingMessage } from '../../storage/transaction/outgoing-message.ts';
import { TransactionScheduler } from '../../storage/transaction/scheduler.ts';
import type { Receiver, WriteTransaction } from '../../storage/transaction/transaction.ts';
import { StagedJson } from '../../storage/tree/builder.ts';
import { HashMemory } from '../../storage/tree/digest.ts';
import { allocateNodeId, type StoredTree } from '../../storage/tree/stored-tree.ts';
import { Database } from './database.ts';
import { executeLink } from './linked-write.ts';
import { StoredDatabaseTree } from './stored-tree.ts';
import type { DatabaseTree } from './tree-view.ts';
import { executeWrite } from './write.ts';
import { parseUpdate } from './write-input.ts';

/** Longest response of these databases, in UTF-16 code units. */
const MAX_UNITS = 3000;
const BIG = 'x'.repeat(MAX_UNITS);

class Recorder implements Receiver {
  readonly messages: string[] = [];
  isEnded = false;

  deliver(messages: readonly OutgoingMessage[]): void {
    for (const { text } of messages) this.messages.push(text);
  }

  end(): void {
    this.isEnded = true;
  }
}

let scheduler: TransactionScheduler;
let database: Database;
let change: (tree: DatabaseTree) => DatabaseTree;

beforeEach(() => {
  const hashes = new HashMemory();
  let tree: StoredTree | null = null;
  change = (opened) => opened;
  scheduler = new TransactionScheduler({
    log: new EmbeddedLog({ store: new MemoryStore() }),
    clock: { nowMs: () => 1000, elapsedMs: () => 0 },
    logger: createLogger('silent', { write: () => undefined }),
  });
  database = new Database('d', parseRules(OPEN_RULES), (transaction: WriteTransaction) => {
    const before = tree;
    transaction.onRollback(() => {
      tree = before;
    });
    return change(
      new StoredDatabaseTree({
        tx: transaction.tx,
        tree,
        create: () => {
          tree = { holder: allocateNodeId(transaction.tx), indexesAt: () => [] };
          return tree;
        },
        hashes,
        limits: { answerBytes: MAX_UNITS, hashedBytes: 2 * MAX_UNITS },
      }),
    );
  });
});

function write(fields: Readonly<Record<string, unknown>>): Promise<unknown> {
  const writes = parseUpdate(parsePath(''), fields);
  return scheduler.request((transaction) =>
    executeWrite(transaction, database, { operation: 'PUT', identity: ADMIN, writes }),
  );
}

function listen(json: Readonly<Record<string, unknown>>): Promise<Recorder> {
  const receiver = new Recorder();
  const { query, text } = parseNamedQuery(json);
  const path = parsePath('rows');
  return scheduler.request((transaction) => {
    const window = query.limit === null ? null : database.tree(transaction).readQuery(path, query);
    database.listens.addQuery(path, text, query, window, {
      receiver,
      tag: 1,
      payer: { pay: () => undefined },
    });
    return receiver;
  });
}

/** Links an object of rows, built as a subtree, in one commit. */
async function link(path: string, json: unknown): Promise<unknown> {
  const location = parsePath(path);
  return scheduler.request((transaction) => {
    const staged = new StagedJson({ path: location, timeMs: 0 });
    staged.scan(database.tree(transaction).buildTarget(), Buffer.from(JSON.stringify(json)), true);
    if (staged.built?.kind !== 'node') throw new Error('The object is too small to be built as a subtree.');
    return executeLink(transaction, database, {
      operation: 'PUT',
      identity: ADMIN,
      targets: [{ path: location, built: staged.built }],
      catalog: [],
    });
  });
}

async function listenTo(path: string): Promise<Recorder> {
  const receiver = new Recorder();
  return scheduler.request(() => {
    database.listens.addDefault(parsePath(path), receiver);
    return receiver;
  });
}

async function dataAt(path: string, key: string): Promise<unknown> {
  return scheduler.request((transaction) =>
    database.tree(transaction).findValue(parsePath(`${path}/${key}`)),
  );
}

test('[L54] a receiver whose message is too big is ended, and the other receivers get their messages', async () => {
  await write({ 'rows/big': { text: BIG, n: 0 }, 'rows/small': { n: 1 } });
  const shut = await listen({ i: 'n', sp: 1, l: 2, vf: 'l' });
  const ranged = await listen({ i: 'n', sp: 1 });
  const open = await listen({ i: 'n', sp: 5 });
  await expect(write({ 'rows/big/n': 2, 'rows/other': { n: 7 } })).resolves.toMatchObject({ seq: 2 });
  expect([shut.isEnded, ranged.isEnded, open.isEnded]).toEqual([true, true, false]);
  expect(open.messages).toEqual(['{"t":"d","d":{"a":"m","b":{"p":"rows","d":{"other":{"n":7}},"t":1}}}']);
  expect([shut.messages, ranged.messages]).toEqual([[], []]);
  await expect(dataAt('rows', 'big/n')).resolves.toBe(2);
});

test('[L54] several children that enter a query together can be too big for one message', async () => {
  const half = 'x'.repeat(MAX_UNITS / 2);
  await write({ 'rows/a': { text: half, n: 0 }, 'rows/b': { text: half, n: 0 } });
  const receiver = await listen({ i: 'n', sp: 1 });
  await write({ 'rows/a/n': 1, 'rows/b/n': 1 });
  expect(receiver.isEnded).toBe(true);
});

test('[L54] a receiver is ended if the whole result is replaced and too big', async () => {
  const receiver = await listen({ i: 'n', l: 2, vf: 'r' });
  await write({ rows: { a: { text: BIG, n: 0 } } });
  expect(receiver.isEnded).toBe(true);
  await expect(dataAt('rows', 'a/n')).resolves.toBe(0);
});

test('[L55] a request error after a part of the write was applied is a bug, and the write is rolled back', async () => {
  await write({ a: 1 });
  change = (tree) => ({
    nodeJson: (path, form) => tree.nodeJson(path, form),
    findStoredJson: () => undefined,
    selectionJson: (path, selection, form) => tree.selectionJson(path, selection, form),
    findValue: (path) => tree.findValue(path),
    findPriority: (path) => tree.findPriority(path),
    firstKeys: (path, limit) => tree.firstKeys(path, limit),
    ruleTree: () => () => tree,
    hash: (path) => tree.hash(path),
    hashSteps: (path) => tree.hashSteps(path),
    cachedHashSteps: (path, isCurrent) => tree.cachedHashSteps(path, isCurrent),
    childrenHash: (path, keys) => tree.childrenHash(path, keys),
    findEntry: (path, key, index) => tree.findEntry(path, key, index),
    readQuery: (path, query) => tree.readQuery(path, query),
    childrenJson: (path, keys) => tree.childrenJson(path, keys),
    childrenPieces: (path, keys) => tree.childrenPieces(path, keys),
    writeNode: (path, node) => tree.writeNode(path, node),
    writeNodes: (writes) => tree.writeNodes(writes),
    findEntryBytes: (path) => tree.findEntryBytes(path),
    detachedIndexes: () => tree.detachedIndexes(),
    indexCatalog: () => tree.indexCatalog(),
    sideAt: (path) => tree.sideAt(path),
    buildTarget: () => tree.buildTarget(),
    link: (path, staged, catalog, later) => tree.link(path, staged, catalog, later),
    writePriority: () => {
      throw new RequestError('access/denied');
    },
  });
  await expect(write({ a: 2, 'b/c': 1, 'z/.priority': 1 })).rejects.toMatchObject({ code: 'internal/error' });
  change = (tree) => tree;
  await expect(dataAt('', 'a')).resolves.toBe(1);
  await expect(write({ a: 3 })).resolves.toMatchObject({ seq: 2 });
});

test('[L58] a hash of too much data is rejected before anything is written', async () => {
  const rows = Object.fromEntries(Array.from({ length: 5 }, (_, i) => [`k${i}`, 'x'.repeat(MAX_UNITS / 2)]));
  await write({ rows });
  const path = parsePath('rows');
  const expected = { path, hash: 'no hash' };
  const writes = parseUpdate(path, { k0: 1 });
  await expect(
    scheduler.request((transaction) =>
      executeWrite(transaction, database, { operation: 'PUT', identity: ADMIN, writes, expected }),
    ),
  ).rejects.toMatchObject({ code: 'read/too-big' });
  await expect(dataAt('rows', 'k0')).resolves.toBe('x'.repeat(MAX_UNITS / 2));
  await write({ 'rows/k1': null, 'rows/k2': null });
  const hash = await scheduler.request((transaction) => database.tree(transaction).hash(path));
  expect(hash).toMatch(/^[\w+/]{27}=$/);
});

const LONG = 'x'.repeat(600);
const ROWS = Object.fromEntries([1, 2, 3, 4].map((n) => [`r${n}`, { n, text: LONG }]));

function put(path: string, json: unknown, tag?: number): string {
  const body = { p: path, d: json, ...(tag === undefined ? {} : { t: tag }) };
  return JSON.stringify({ t: 'd', d: { a: 'd', b: body } });
}

test('[L86] linking a subtree is one commit, and each kind of listen receives the same messages as for a write', async () => {
  await write({ 'rows/r0': { n: 9 }, other: 1 });
  const [root, rows, row, field, gone, elsewhere] = await Promise.all(
    ['', 'rows', 'rows/r2', 'rows/r2/n', 'rows/r0', 'other'].map(listenTo),
  );
  const lowest = await listen({ i: 'n', l: 2, vf: 'l' });
  await expect(link('rows', ROWS)).resolves.toMatchObject({ seq: 2, writes: [{ kind: 'linked' }] });
  expect(root?.messages).toEqual([put('rows', ROWS)]);
  expect(rows?.messages).toEqual([put('rows', ROWS)]);
  expect(row?.messages).toEqual([put('rows/r2', ROWS['r2'])]);
  expect(field?.messages).toEqual([put('rows/r2/n', 2)]);
  expect(gone?.messages).toEqual([put('rows/r0', null)]);
  expect(elsewhere?.messages).toEqual([]);
  expect(lowest.messages).toEqual([put('rows', { r1: ROWS['r1'], r2: ROWS['r2'] }, 1)]);
});

test('[L86] a subtree can be linked at and below children of a query', async () => {
  await write({ 'rows/a': { n: 1 }, 'rows/b': { n: 8 } });
  const shown = await listen({ i: 'n', ep: 5 });
  await link('rows/a/more', ROWS);
  await link('rows/c', { ...ROWS, n: 2 });
  await link('rows/b', { ...ROWS, n: 9 });
  expect(shown.messages).toEqual([
    put('rows/a/more', ROWS, 1),
    `{"t":"d","d":{"a":"m","b":{"p":"rows","d":{"c":${JSON.stringify({ n: 2, ...ROWS })}},"t":1}}}`,
  ]);
});

test('[L87] a receiver of a subtree that is too large is ended, and the other receivers get their messages', async () => {
  const [root, row] = await Promise.all(['', 'rows/r1'].map(listenTo));
  const shown = await listen({ i: 'n', sp: 2 });
  const large = { ...ROWS, r5: { n: 5, text: LONG }, r6: { n: 6, text: LONG } };
  await link('rows', large);
  expect([root?.isEnded, row?.isEnded, shown.isEnded]).toEqual([true, false, true]);
  expect(row?.messages).toEqual([put('rows/r1', ROWS['r1'])]);
  await expect(dataAt('rows/r6', 'n')).resolves.toBe(6);
});
