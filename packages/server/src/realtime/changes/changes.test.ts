import { parsePath, parseWritePath } from '@hearth/core/tree/path.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { ADMIN } from '../../access/principal.ts';
import { MemoryStore } from '../../storage/kv/memory.ts';
import { checkTrees } from '../../storage/tree/check.ts';
import { findStoredTree } from '../database/catalog.ts';
import { parseSet, parseUpdate } from '../database/write-input.ts';
import { ImportTestBed, pieces } from '../import/test-bed.fixture.ts';
import { ChangeConflict, type LaterState } from './changes.ts';
import {
  listKeptTrees,
  MAX_CHANGE_AGE_MS,
  MAX_CHANGES,
  MAX_FORMERS,
  putChange,
  readChanges,
} from './record.ts';

const LARGE = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`k${index}`, 'x'.repeat(100)]));

let store: MemoryStore;
let bed: ImportTestBed;

beforeEach(() => {
  store = new MemoryStore();
  bed = new ImportTestBed(store);
});

/** Executes writes as one change, and returns its id. */
async function change(changes: unknown): Promise<number> {
  const { change: id } = await bed.databases.write('d', {
    operation: 'PATCH',
    identity: ADMIN,
    writes: parseUpdate(parsePath(''), changes),
    change: { kind: 'write', author: 'ann' },
  });
  return id ?? Number.NaN;
}

async function undo(id: number, confirmed: number | null = null): Promise<number> {
  return (await bed.changes.undo('d', id, { identity: ADMIN, author: 'bob', confirmed })) ?? Number.NaN;
}

async function conflictOf(id: number, confirmed: number | null = null): Promise<LaterState> {
  const error = await undo(id, confirmed).catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(ChangeConflict);
  return (error as ChangeConflict).later;
}

async function data(path = ''): Promise<unknown> {
  return JSON.parse(await bed.read(path));
}

/** Returns the problems of the store after all background work is done. */
function problems(): readonly string[] {
  bed.counts();
  return store.read((tx) => {
    const tree = findStoredTree(tx, 'd');
    const trees = tree === undefined ? [] : [{ name: 'd', tree }];
    const steps = checkTrees(tx, trees, listKeptTrees(tx));
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value.problems;
    }
  });
}

/** Runs the background work of changes until nothing is left to do. */
function upkeep(): void {
  if (bed.upkeep.hasWork()) while (store.transact((tx) => bed.upkeep.step(tx, () => true)));
}

describe('[L120] a recorded write can be undone', () => {
  test.each([
    ['a value', { a: 1, b: 2 }, { a: 3 }],
    ['an addition', { b: 2 }, { 'a/x': 3 }],
    ['a removal', { a: { x: 1, y: 2 } }, { 'a/x': null }],
    ['a large node', { a: LARGE, b: 2 }, { a: null }],
    ['a large node by a value', { a: LARGE }, { a: 'gone' }],
    ['several paths', { a: LARGE, b: { c: 1 }, d: 5 }, { a: null, 'b/c': 2, 'e/f': 3, d: null }],
    ['the root', { a: LARGE, b: 2 }, { '': null }],
    ['a value that a write below replaces', { a: 'text' }, { 'a/b/c': 1, 'a/d': 2 }],
    ['a priority', { a: { '.priority': 3, x: 1 } }, { 'a/.priority': 7 }],
    ['the priority of a node that a removal empties', { a: { '.priority': 3, x: 1 }, b: 1 }, { 'a/x': null }],
    ['the last child of everything', { a: { x: 1 } }, { 'a/x': null }],
    ['a long integer', { a: '.5', n: 12 }, { n: 13 }],
  ])('[L120] %s', async (_what, before, changes) => {
    await bed.write('', before);
    const was = await data();
    const id = await change(changes);
    const became = await data();
    expect(became).not.toEqual(was);
    expect(problems()).toEqual([]);
    const undoing = await undo(id);
    expect(await data()).toEqual(was);
    expect(problems()).toEqual([]);
    await undo(undoing);
    expect(await data()).toEqual(became);
    expect(problems()).toEqual([]);
  });
});

test('[L120] a change survives the process', async () => {
  await bed.write('', { a: LARGE });
  const id = await change({ a: null });
  bed = new ImportTestBed(store);
  bed.counts();
  await undo(id);
  expect(await data()).toEqual({ a: LARGE });
});

test('[L120] a change is undone once, and a change that does not exist is unknown', async () => {
  const id = await change({ a: 1 });
  await undo(id);
  await expect(undo(id)).rejects.toMatchObject({ code: 'change/final' });
  await expect(undo(id + 9)).rejects.toMatchObject({ code: 'change/unknown' });
});

test('[L120] a write that changes nothing is not recorded as a change', async () => {
  await expect(change({ a: null })).resolves.toBeNaN();
  expect(bed.changes.list('d', undefined, 10).changes).toEqual([]);
});

describe('[L121] a later write where the undo would write', () => {
  test.each([
    ['at the path', { a: 5 }],
    ['below it', { 'a/x/y': 5 }],
    ['above it', { '': { b: 1 } }],
    ['of its priority', { 'a/.priority': 5 }],
  ])('[L121] %s is shown and not overwritten', async (_where, later) => {
    await bed.write('', { a: { x: 1, z: 2 }, b: 2 });
    const id = await change({ a: { x: 3 } });
    await change(later);
    const now = await data();
    const { count, writes, isComplete, seq } = await conflictOf(id);
    expect([count, isComplete, writes.length]).toEqual([1, true, 1]);
    expect(await data()).toEqual(now);
    await undo(id, seq);
    expect(await data('a')).toEqual({ x: 1, z: 2 });
  });

  test('[L121] at another path does not matter', async () => {
    await bed.write('', { a: { x: 1 }, b: 2 });
    const id = await change({ 'a/x': 3 });
    await change({ 'a/y': 4, b: null, c: 5 });
    await undo(id);
    expect(await data()).toEqual({ a: { x: 1, y: 4 }, c: 5 });
  });

  test('[L121] that follows the confirmed state is shown again', async () => {
    const id = await change({ a: 1 });
    await change({ a: 2 });
    const { seq } = await conflictOf(id);
    await change({ a: 3 });
    const again = await conflictOf(id, seq);
    expect(again.writes).toMatchObject([{ path: '/a', json: '3', count: 1, author: { kind: 'admin' } }]);
    await undo(id, again.seq);
    expect(await data()).toBeNull();
  });

  test('[L121] in the same transaction is noticed', async () => {
    const id = await change({ a: 1 });
    const [, outcome] = await Promise.allSettled([change({ a: 2 }), undo(id)]);
    expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'change/conflict' } });
    expect(await data()).toEqual({ a: 2 });
  });

  test('[L121] that was undone does not count, and counts again once its undo is undone', async () => {
    const first = await change({ a: 1 });
    const second = await change({ a: 2 });
    const undoing = await undo(second);
    await undo(await undo(undoing));
    await undo(first);
    expect(await data()).toBeNull();
    const third = await change({ a: 1 });
    await undo(await undo(await change({ a: 2 })));
    await conflictOf(third);
    expect(await data()).toEqual({ a: 2 });
  });

  test('[L121] may be unknown, because the log no longer has it', async () => {
    const id = await change({ a: 1 });
    for (const { key } of store.read((tx) => [...tx.scan('log', {})]))
      store.transact((tx) => tx.remove('log', key));
    await change({ b: 1 });
    const { isComplete, seq } = await conflictOf(id);
    expect(isComplete).toBe(false);
    await undo(id, seq);
    expect(await data()).toEqual({ b: 1 });
  });
});

describe('[L122] an import', () => {
  async function run(mode: 'replace' | 'merge', json: unknown, bytesEach = 1_000): Promise<number> {
    const id = `import-${bed.nowMs}-${mode}`;
    await bed.imports.create('d', id, { path: parsePath('a'), mode, undoableBy: 'ann' });
    const state = await bed.imports.append('d', id, {
      offset: 0,
      chunks: pieces(JSON.stringify(json), bytesEach),
      isLast: true,
    });
    expect(state.status).toBe('done');
    return state.change ?? Number.NaN;
  }

  test.each([
    ['replace', { a: LARGE, b: 1 }, { x: 1 }],
    ['replace', { a: 'text' }, { large: LARGE, x: 2 }],
    ['replace', { b: 1 }, { large: LARGE }],
    ['merge', { a: { x: LARGE, y: 2, z: 3 } }, { x: 1, y: LARGE, n: null, w: { v: 1 } }],
    ['merge', { a: 'text', b: 1 }, { x: LARGE, y: 2 }],
    ['merge', { b: 1 }, { x: LARGE, y: 2, ...LARGE }],
  ] as const)('[L122] of the mode %s over %j is undone', async (mode, before, source) => {
    await bed.write('', before);
    // The import takes several steps, because each reading of the clock ends one.
    bed.tickMs = 20;
    const id = await run(mode, source);
    expect(await data()).not.toEqual(before);
    expect(problems()).toEqual([]);
    const undoing = await undo(id);
    expect(await data()).toEqual(before);
    await undo(undoing);
    expect(await data()).not.toEqual(before);
    expect(problems()).toEqual([]);
  });

  test('[L122] that is still open cannot be undone, and a canceled one can', async () => {
    await bed.write('', { a: { x: 1, y: 2 } });
    await bed.imports.create('d', 'import-open', { path: parsePath('a'), mode: 'merge', undoableBy: 'ann' });
    const { change: id = 0 } = await bed.imports.append('d', 'import-open', {
      offset: 0,
      chunks: pieces('{"x":5,"y":6,'),
      isLast: false,
    });
    await expect(undo(id)).rejects.toMatchObject({ code: 'change/final' });
    bed = new ImportTestBed(store);
    await bed.imports.remove('d', 'import-open');
    await undo(id);
    expect(await data()).toEqual({ a: { x: 1, y: 2 } });
  });

  test('[L122] that writes a key twice restores the first value', async () => {
    await bed.write('', { a: { x: 1 } });
    await bed.imports.create('d', 'import-twice', { path: parsePath('a'), mode: 'merge', undoableBy: 'ann' });
    bed.tickMs = 20;
    const state = await bed.imports.append('d', 'import-twice', {
      offset: 0,
      chunks: pieces(`{"x":2,"long":${JSON.stringify('y'.repeat(40_000))},"x":3}`),
      isLast: true,
    });
    if (state.status === 'done') expect(await data('a/x')).toBe(3);
    await undo(state.change ?? Number.NaN);
    expect(await data()).toEqual({ a: { x: 1 } });
    expect(problems()).toEqual([]);
  });
});

describe('[L123] the space for undoable changes is limited', () => {
  test('[L123] a change of too many paths is recorded, but cannot be undone', async () => {
    const many = Object.fromEntries(Array.from({ length: MAX_FORMERS + 1 }, (_, i) => [`a/${i}`, i]));
    const id = await change(many);
    expect(bed.changes.list('d', undefined, 1).changes).toMatchObject([
      { id, count: MAX_FORMERS + 1, canUndo: false, final: 'too-large' },
    ]);
    await expect(undo(id)).rejects.toMatchObject({ code: 'change/final' });
    expect(problems()).toEqual([]);
  });

  test('[L123] only the latest changes are stored', async () => {
    const oldest = await change({ a: 'first' });
    store.transact((tx) => {
      const [record] = readChanges(tx, 'd');
      for (let index = 1; index < MAX_CHANGES && record; index += 1)
        putChange(tx, 'd', { ...record, id: 1_000 + index, kept: null });
    });
    for (let index = 0; index < 3; index += 1) await change({ a: index });
    const { changes } = bed.changes.list('d', undefined, MAX_CHANGES + 9);
    expect(changes).toHaveLength(MAX_CHANGES);
    await expect(undo(oldest)).rejects.toMatchObject({ code: 'change/unknown' });
    expect(problems()).toEqual([]);
  });

  test('[L123] large nodes are measured, and the oldest beyond the limit are removed', async () => {
    await bed.write('', { a: LARGE, b: LARGE });
    const first = await change({ a: null });
    const second = await change({ b: null });
    expect(bed.changes.list('d', undefined, 1).changes).toMatchObject([{ isMeasured: false }]);
    upkeep();
    const [{ bytes, isMeasured } = { bytes: 0 }] = bed.changes.list('d', undefined, 1).changes;
    expect(isMeasured).toBe(true);
    expect(bytes).toBeGreaterThan(60 * 100);
    expect(bytes).toBeLessThan(60 * 120);
    // As if the second one had kept nearly all that may be kept.
    store.transact((tx) => {
      for (const record of [...readChanges(tx, 'd')])
        if (record.id === second) putChange(tx, 'd', { ...record, bytes: 4 * 2 ** 30 });
    });
    bed = new ImportTestBed(store);
    upkeep();
    await expect(undo(first)).rejects.toMatchObject({ code: 'change/final' });
    await undo(second);
    expect(await data()).toEqual({ b: LARGE });
    expect(problems()).toEqual([]);
  });

  test('[L123] old changes are removed', async () => {
    await bed.write('', { a: LARGE });
    await change({ a: null });
    bed.nowMs += MAX_CHANGE_AGE_MS + 1;
    upkeep();
    expect(bed.changes.list('d', undefined, 1).changes).toEqual([]);
    expect(bed.counts()).toMatchObject({ tree: 0 });
  });

  test('[L123] a member can delete the values that a change keeps for its undo', async () => {
    await bed.write('', { a: LARGE });
    const id = await change({ a: null });
    await bed.changes.forget('d', id);
    expect(bed.changes.list('d', undefined, 1).changes).toMatchObject([
      { final: 'forgotten', canUndo: false },
    ]);
    expect(bed.counts()).toMatchObject({ tree: 0 });
  });
});

test('[L124] an undo restores indexes that were declared, built or removed after the change', async () => {
  const rows = Object.fromEntries(
    Array.from({ length: 60 }, (_, index) => [`k${index}`, { n: index % 7, text: 'x'.repeat(60) }]),
  );
  await bed.write('', { a: { rows } });
  const publish = (indexOn: readonly string[]): Promise<number> =>
    bed.databases.writeRules(
      'd',
      ADMIN,
      JSON.stringify({ rules: { '.read': true, '.write': true, a: { rows: { '.indexOn': indexOn } } } }),
    );
  await publish(['n']);
  // The build has not visited the node yet.
  const first = await change({ a: null });
  bed.counts();
  await undo(first);
  expect(problems()).toEqual([]);
  const second = await change({ a: null });
  await publish(['text']);
  bed.counts();
  await undo(second);
  expect(problems()).toEqual([]);
  await publish([]);
  const third = await change({ 'a/rows': null });
  await undo(third);
  expect(problems()).toEqual([]);
  expect(await data()).toEqual({ a: { rows } });
});

test('[L120] parts of a change are written with their rules, and a failed write leaves nothing', async () => {
  await bed.write('', { a: 1 });
  const write = parseSet(parseWritePath('a'), 2);
  const failing = bed.databases.write('d', {
    operation: 'PATCH',
    identity: ADMIN,
    writes: [write],
    conditions: { expected: [{ path: parsePath('a'), hash: 'other' }], keepsValues: false },
    change: { kind: 'write', author: 'ann' },
  });
  await expect(failing).rejects.toMatchObject({ code: 'write/stale' });
  expect(bed.changes.list('d', undefined, 1).changes).toEqual([]);
});
