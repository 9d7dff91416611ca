import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import { exportJson, priorityJson } from '@hearth/core/tree/node-json.ts';
import { formatPath, parsePath, parseWritePath } from '@hearth/core/tree/path.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MemoryStore } from '../../storage/kv/memory.ts';
import type { KvWrite } from '../../storage/kv/store.ts';
import { type AccessCount, countingAccess } from '../../storage/tree/counting-access.fixture.ts';
import { compareWrites, type DraftWrite, parseSet } from '../database/write-input.ts';
import { ModelQueue, type ModelWrite } from '../model/write-queue.fixture.ts';
import { MAX_PENDING_PATHS, type PendingSize, PendingWrites, RequestList } from './writes.ts';

const NOTHING: PendingSize = { bytes: 0, places: 0, requests: 0 };

/** Applies a request in text form: `path = value` or `cancel path`. */
function request(pending: PendingWrites, text: string): void {
  if (text.startsWith('cancel ')) pending.cancel(parsePath(text.slice(7)));
  else {
    const [path = '', json = ''] = text.split(' = ');
    pending.add(parseSet(parseWritePath(path), parseJsonText(json)));
  }
}

/**
 * Runs `body` on the queue of a session whose rows are between those of two other sessions. Checks that the
 * other rows do not change.
 */
function inStore<T>(body: (pending: PendingWrites, tx: KvWrite) => T, id = 's'): T {
  return new MemoryStore().transact((tx) => {
    const others = ['r', 's', 'ss', 't'].flatMap((id) => [
      Buffer.from(`${id}\0`),
      Buffer.from(`${id}\u0002`),
    ]);
    for (const key of others) tx.put('sessions', key, Buffer.from('other'));
    const result = body(new PendingWrites(tx, id, NOTHING), tx);
    for (const key of others) expect(tx.find('sessions', key)?.toString()).toBe('other');
    return { result };
  }).result;
}

/** Removes all requests from a queue and returns them, in their order. */
function takeAll(pending: PendingWrites, tx: KvWrite, id = 's'): readonly (readonly DraftWrite[])[] {
  const list = new RequestList(id);
  while (!list.read(tx));
  return list.requests.map((request) => pending.take(request));
}

function describeWrites(writes: readonly DraftWrite[]): string {
  const fields = writes.map((write) =>
    write.kind === 'node'
      ? `[${JSON.stringify(formatPath(write.path))},${exportJson(write.draft.node)}]`
      : `[${JSON.stringify(`${formatPath(write.path)}/.priority`)},${priorityJson(write.priority)}]`,
  );
  return `[${fields.join(',')}]`;
}

/** Returns the queue after some requests. */
function pendingAfter(requests: readonly string[]): string {
  return inStore((pending, tx) => {
    for (const text of requests) request(pending, text);
    const { places } = pending.size;
    const writes = takeAll(pending, tx).flat().sort(compareWrites);
    expect(places).toBe(writes.length);
    expect(pending.size).toMatchObject({ bytes: 0, places: 0 });
    return describeWrites(writes);
  });
}

type Table = readonly (readonly [requests: readonly string[], stored: string])[];

describe('requests', () => {
  test.each<Table[number]>([
    [['a = 1'], '[["a",1]]'],
    [['a = 1', 'b = 2'], '[["a",1],["b",2]]'],
    [['a = 1', 'a = 2'], '[["a",2]]'],
    [['a/b = 1', 'a/c = 2', 'a = 3'], '[["a",3]]'],
    [['a/b = 1', 'ab = 1', 'aĀ = 1', 'a = 3'], '[["a",3],["aĀ",1],["ab",1]]'],
    [['a/b = 1', ' = null'], '[["",null]]'],
    [['a/.priority = 1', 'a = 2'], '[["a",2]]'],
    [['a/.priority = 1', 'a/.priority = 2'], '[["a/.priority",2]]'],
    [['a/.priority = 1', 'a/b = 2'], '[["a/b",2],["a/.priority",1]]'],
    [['.priority = "p"'], '[["/.priority","p"]]'],
    [
      ['a = {".sv":"timestamp"}', 'b/.priority = {".sv":{"increment":2}}'],
      '[["a",{".sv":"timestamp"}],["b/.priority",{".sv":{"increment":2}}]]',
    ],
    [['a = 9223372036854775807'], '[["a",9223372036854775807]]'],
    [
      ['a = {".value":-9007199254740993,".priority":{".sv":"timestamp"}}'],
      '[["a",{".value":-9007199254740993,".priority":{".sv":"timestamp"}}]]',
    ],
    [['é/𝒳/\ud800 = 1', 'd = null'], '[["d",null],["é/𝒳/\\ud800",1]]'],
  ])('[L40] the requests %j are stored as %s', (requests, stored) => {
    expect(pendingAfter(requests)).toBe(stored);
  });

  test.each<Table[number]>([
    [['a = {"b":1}', 'a/c = 2'], '[["a",{"b":1,"c":2}]]'],
    [['a = {"b":1}', 'a/b = null'], '[["a",null]]'],
    [['a = null', 'a/b/c = 1'], '[["a",{"b":{"c":1}}]]'],
    [[' = null', 'a/b = 1'], '[["",{"a":{"b":1}}]]'],
    [['a = {".value":5,".priority":3}', 'a/b = 1'], '[["a",{"b":1,".priority":3}]]'],
    [
      ['a = {"b":1}', 'a/.priority = 7', 'a/b/.priority = 8'],
      '[["a",{"b":{".value":1,".priority":8},".priority":7}]]',
    ],
    [['a = null', 'a/.priority = 7'], '[["a",null]]'],
    [['a = {"b":1}', 'a/c/.priority = 7'], '[["a",{"b":1}]]'],
  ])('[L41] the requests %j are stored as %s', (requests, stored) => {
    expect(pendingAfter(requests)).toBe(stored);
  });
});

test.each<Table[number]>([
  [['cancel a'], '[]'],
  [['a = 1', 'cancel a'], '[]'],
  [['a/b = 1', 'a/.priority = 1', 'cancel a'], '[]'],
  [['a/b = 1', 'c = 1', '.priority = 1', 'cancel '], '[]'],
  [['a/b = 1', 'a/c = 2', 'cancel a/b'], '[["a/c",2]]'],
  [['a/b = 1', 'a/.priority = 1', 'cancel a/b'], '[["a/.priority",1]]'],
  [['a = 1', 'cancel b', 'cancel a/b'], '[["a",1]]'],
  [['a = null', 'cancel a/b'], '[["a",null]]'],
  [['a = {"b":1,"c":2,".priority":3}', 'cancel a/b'], '[["a/c",2]]'],
  [['a = {"b":{"c":1,"d":2},"e":3}', 'cancel a/b/c'], '[["a/b/d",2],["a/e",3]]'],
  [['a = {"b":1,"c":2}', 'cancel a/b/x'], '[["a/b",1],["a/c",2]]'],
  [['a = {"b":1}', 'cancel a/x'], '[["a/b",1]]'],
  [['a = {"b":1}', 'cancel a/b'], '[]'],
  // The example in Firebase's documentation.
  [
    ['x = {"parent":true,"child":"parent-child"}', 'x/child = "child"', 'cancel x/child'],
    '[["x/parent",true]]',
  ],
])('[L42] after the requests %j, the queue contains %s', (requests, stored) => {
  expect(pendingAfter(requests)).toBe(stored);
});

const keys = fc.constantFrom('a', 'b', 'é', '1', 'a\u0100');
const paths = fc.array(keys, { maxLength: 4 }).map((segments) => segments.join('/'));
const values = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom('null', '1', '"x"', '{".value":1,".priority":2}', '{".sv":"timestamp"}'),
    fc
      .tuple(fc.dictionary(keys, tie('value'), { maxKeys: 3 }), fc.constantFrom('', '".priority":1'))
      .map(([children, priority]) => {
        const fields = Object.entries(children).map(([key, json]) => `${JSON.stringify(key)}:${json}`);
        return `{${[...fields, ...(priority === '' ? [] : [priority])].join(',')}}`;
      }),
  ),
})).value;
const requests = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(paths, values).map(([path, json]) => `${path} = ${json}`) },
  { weight: 1, arbitrary: paths.map((path) => `${path}/.priority = 5`) },
  { weight: 2, arbitrary: paths.map((path) => `cancel ${path}`) },
);

function modelWrite(write: DraftWrite): ModelWrite {
  return write.kind === 'node' ? { kind: 'node', path: write.path, node: write.draft.node } : write;
}

function draftWrite(write: ModelWrite): DraftWrite {
  if (write.kind === 'priority') return write;
  const { path, node } = write;
  const draft = node === null ? ({ kind: 'resolved', node } as const) : ({ kind: 'pending', node } as const);
  return { kind: 'node', path, draft };
}

test('[L40][L41][L42] after any requests the stored rows match the model, and a rolled-back request leaves no trace', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(requests, fc.boolean()), { maxLength: 20 }), (history) => {
      inStore((_, tx) => {
        const model = new ModelQueue();
        let size = NOTHING;
        for (const [text, isKept] of history) {
          const before = [...tx.scan('sessions', {})];
          const pending = new PendingWrites(tx, 's', size);
          request(pending, text);
          if (isKept) {
            size = pending.size;
            if (text.startsWith('cancel ')) model.cancel(parsePath(text.slice(7)));
            else {
              const [path = '', json = ''] = text.split(' = ');
              model.addAll([modelWrite(parseSet(parseWritePath(path), parseJsonText(json)))]);
            }
          } else {
            pending.rollback();
            expect([...tx.scan('sessions', {})]).toEqual(before);
            expect(pending.size).toMatchObject({ bytes: size.bytes, places: size.places });
          }
          const rows = [
            ...tx.scan('sessions', { lower: Buffer.from('s\u0001'), upper: Buffer.from('s\u0002') }),
          ];
          const bytes = rows.reduce((sum, { key, value }) => sum + key.length + value.length, 0);
          expect(size).toMatchObject({ bytes, places: rows.length });
          const sorted = (requests: readonly (readonly DraftWrite[])[]): readonly string[] =>
            requests.map((writes) =>
              describeWrites(
                [...writes]
                  .sort((a, b) => (formatPath(a.path) < formatPath(b.path) ? -1 : 1))
                  .sort(compareWrites),
              ),
            );
          const copy = new PendingWrites(tx, 's', size);
          const left = takeAll(copy, tx);
          copy.rollback();
          expect(sorted(left)).toEqual(sorted(model.requests.map((writes) => writes.map(draftWrite))));
        }
      });
    }),
    { numRuns: 300 },
  );
});

/** A session id as long as those of the server. */
const ID = 'i'.repeat(32);
const ABOVE = 'k'.repeat(700);
/** With `ABOVE` and the slash, 972 UTF-16 code units. */
const BELOW = 'l'.repeat(271);

test('[L49] the longest path is accepted, and a longer path is rejected', () => {
  inStore((pending, tx) => {
    const path = `${ABOVE}/${BELOW}`;
    request(pending, `${path} = 1`);
    expect(describeWrites(takeAll(pending, tx, ID).flat())).toBe(`[["${path}",1]]`);
    for (const text of [`${path}l = 1`, `${path}/.priority = 1`, `cancel ${path}l/x`])
      expect(() => request(pending, text)).toThrow(expect.objectContaining({ code: 'path/too-long' }));
  }, ID);
});

test('[L49] a cancellation is rejected if it would give another child a path that is too long', () => {
  inStore((pending) => {
    request(pending, `${ABOVE} = {"${BELOW}l":1,"c":2}`);
    expect(() => request(pending, `cancel ${ABOVE}/c`)).toThrow(
      expect.objectContaining({ code: 'path/too-long' }),
    );
  }, ID);
});

test('[L47] a queue has at most 2,000 paths', () => {
  inStore((pending) => {
    for (let i = 0; i < MAX_PENDING_PATHS; i++) request(pending, `a/${i} = 1`);
    request(pending, 'a/5 = 2');
    expect(() => request(pending, 'b = 1')).toThrow(expect.objectContaining({ code: 'write/too-big' }));
  });
});

test('[L70] the cost of a request does not depend on the number of other paths in the queue', () => {
  const costs = [0, 1990].map((others) =>
    inStore((first, tx) => {
      for (let i = 0; i < others; i++) request(first, `others/${i} = 1`);
      const count: AccessCount = { reads: 0, writes: 0 };
      const pending = new PendingWrites(countingAccess(tx, count), 's', {
        ...NOTHING,
        places: 1 + others,
      });
      request(pending, 'a/b = {"c":1,"d":2}');
      request(pending, 'a/b/e = 1');
      request(pending, 'cancel a/b/c');
      request(pending, 'cancel a');
      return count;
    }),
  );
  expect(costs[1]).toEqual(costs[0]);
});

test('[L99] a large queue is read in steps', () => {
  const steps = (count: number, value: string): number =>
    inStore((pending, tx) => {
      for (let i = 0; i < count; i++) request(pending, `a/${i} = ${JSON.stringify(value)}`);
      const list = new RequestList('s');
      let result = 1;
      while (!list.read(tx)) result++;
      expect(list.requests.flatMap(({ keys }) => keys)).toHaveLength(count);
      return result;
    });
  expect([steps(0, ''), steps(1_000, ''), steps(1_001, ''), steps(6, 'x'.repeat(1_000_000))]).toEqual([
    1, 1, 2, 2,
  ]);
});
