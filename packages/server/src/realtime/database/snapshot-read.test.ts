import { expect, onTestFinished, test, vi } from 'vitest';
import { releasablePartsContract } from '../../http/byte-parts.contract.ts';
import { createLogger } from '../../platform/logger.ts';
import { type PoolLimits, ResourcePool } from '../../platform/resource-pool.ts';
import { MemoryStore } from '../../storage/kv/memory.ts';
import { MAX_IDLE_MS, type SnapshotOptions, SnapshotStore } from '../../storage/kv/snapshot-store.ts';
import type { KvRead } from '../../storage/kv/store.ts';
import { MAX_STEP_BYTES, MAX_STEP_MS, ReadLane, SnapshotParts } from './snapshot-read.ts';

const PIECE = Buffer.alloc(65_536, 'x');
const NEVER_MS = 2 ** 31 - 1;
const KEY = Buffer.from('a');

/** A source of `count` pieces that counts how many it has produced. */
class Source {
  made = 0;
  readonly #count: number;

  constructor(count: number) {
    this.#count = count;
  }

  readonly open = function* (this: Source, _tx: KvRead): Generator<Buffer> {
    for (; this.made < this.#count; this.made += 1) yield PIECE;
  }.bind(this);
}

interface TestBed {
  readonly store: SnapshotStore;
  readonly errors: readonly string[];
  readonly lane: ReadLane;
  readonly longReads: ResourcePool;
  open(openPieces: (tx: KvRead) => Iterator<Buffer>, timeoutMs?: number, network?: string): SnapshotParts;
}

const PLACES: PoolLimits = { total: 4, reserve: 0, ofNetwork: 3, idleMs: 10_000 };

/** Creates a test bed whose clock advances by `tickMs` on each call. */
function createTestBed(options: SnapshotOptions = {}, tickMs = 0): TestBed {
  const errors: string[] = [];
  const logger = createLogger('error', { write: (line) => errors.push(line) });
  const store = new SnapshotStore(new MemoryStore(), options);
  const lane = new ReadLane();
  let elapsedMs = 0;
  const clock = { nowMs: () => 0, elapsedMs: () => (elapsedMs += tickMs) };
  const longReads = new ResourcePool(PLACES, () => 0);
  const open: TestBed['open'] = (openPieces, timeoutMs = NEVER_MS, network = '192.0.2.1') =>
    new SnapshotParts({
      store,
      clock,
      lane,
      logger,
      openPieces,
      timeoutMs,
      longReads,
      holder: { network, isPrivileged: false },
    });
  return { store, errors, lane, longReads, open };
}

/** Replaces timers by fake ones that the test advances. */
function holdTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
}

function isFree(store: SnapshotStore): boolean {
  using snapshot = store.openSnapshot();
  return snapshot !== undefined;
}

/** Produces one piece in each step. */
function* oneEachStep(): Generator<Buffer> {
  for (let count = 0; count < 10; count += 1) yield Buffer.alloc(MAX_STEP_BYTES, 'x');
}

releasablePartsContract('snapshot', async () => {
  const { store, open } = createTestBed({ maxSnapshots: 1 });
  const parts = open(oneEachStep);
  return { parts, releases: () => (isFree(store) ? 1 : 0) };
});

test('[L81][L82] no piece is produced before a part is requested, and then at most one step', async () => {
  const source = new Source(100);
  const parts = createTestBed().open(source.open);
  expect(source.made).toBe(0);
  await parts.next();
  const perStep = MAX_STEP_BYTES / PIECE.length;
  expect(source.made).toBeLessThanOrEqual(perStep);
  for (let taken = 1; taken < perStep; taken += 1) await parts.next();
  expect(source.made).toBeLessThanOrEqual(perStep);
  await parts.next();
  expect(source.made).toBeGreaterThanOrEqual(perStep);
  await parts.return();
});

test('[L82] a step ends when its time is over, with the pieces that it has', async () => {
  const source = new Source(100);
  const parts = createTestBed({}, 1).open(source.open);
  await parts.next();
  expect(source.made).toBeLessThanOrEqual(MAX_STEP_MS);
  await parts.return();
});

test('[L82] empty pieces are not parts, and other work runs between steps', async () => {
  let pauses = 0;
  let others = 0;
  const parts = createTestBed({}, 1).open(function* () {
    for (; pauses < 50; pauses += 1) yield Buffer.alloc(0);
    yield PIECE;
  });
  const count = (): void => {
    others += 1;
    if (pauses < 50) setImmediate(count);
  };
  setImmediate(count);
  await expect(parts.next()).resolves.toEqual({ value: PIECE, done: false });
  expect(others).toBeGreaterThan(10);
  await expect(parts.next()).resolves.toEqual({ value: undefined, done: true });
});

test('[L82] several long reads alternate', async () => {
  const testBed = createTestBed({}, MAX_STEP_MS / 2);
  const order: string[] = [];
  const read = async (name: string): Promise<void> => {
    const parts = testBed.open(new Source(3).open);
    for await (const _part of parts) order.push(name);
  };
  await Promise.all([read('a'), read('b')]);
  expect(order).toEqual(['a', 'b', 'a', 'b', 'a', 'b']);
});

test('[L83] the snapshot is released at the end, and on a return before the start', async () => {
  const { store, open } = createTestBed({ maxSnapshots: 1 });
  const whole = open(new Source(20).open);
  await whole.next();
  expect(isFree(store)).toBe(false);
  for await (const _part of whole);
  expect(isFree(store)).toBe(true);
  const parts = open(new Source(1).open);
  expect(isFree(store)).toBe(false);
  await parts.return();
  expect(isFree(store)).toBe(true);
  await expect(parts.next()).resolves.toEqual({ value: undefined, done: true });
  const thrown = open(new Source(1).open);
  await expect(thrown.throw(new Error('on purpose'))).rejects.toThrow('on purpose');
  expect(isFree(store)).toBe(true);
});

test('[L84] a long read beyond the maximum is rejected', () => {
  const { open } = createTestBed({ maxSnapshots: 1 });
  open(new Source(1).open);
  expect(() => open(new Source(1).open)).toThrow(expect.objectContaining({ code: 'request/overload' }));
});

test('[L84] a read beyond the maximum replaces the read that has been idle longest, if that read was idle long enough', async () => {
  const { open } = createTestBed({ maxSnapshots: 2 }, MAX_IDLE_MS / 2);
  const idle = open(new Source(2).open);
  const active = open(new Source(2).open);
  const part = active.next();
  await expect(part).resolves.toMatchObject({ value: PIECE });
  open(new Source(2).open);
  expect(idle.broken.aborted).toBe(true);
  expect(active.broken.aborted).toBe(false);
  await expect(idle.next()).rejects.toMatchObject({ code: 'request/overload' });
});

test('[L83] a response that is not read within its time is aborted, even if no part is requested', async () => {
  holdTimers();
  const { store, open } = createTestBed({ maxSnapshots: 1 });
  const parts = open(new Source(9).open, 5);
  await parts.next();
  vi.advanceTimersByTime(4);
  expect(parts.broken.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(parts.broken.aborted).toBe(true);
  expect(isFree(store)).toBe(true);
  await expect(parts.next()).rejects.toMatchObject({ code: 'read/too-big' });
  await expect(parts.next()).rejects.toThrow('could not be read within 5 ms');
});

test('[L83] a response that was read to its end is not aborted later', async () => {
  holdTimers();
  const parts = createTestBed().open(new Source(2).open, 5);
  for await (const _part of parts);
  vi.advanceTimersByTime(5);
  expect(parts.broken.aborted).toBe(false);
});

test('[L83] a response whose snapshot cannot be kept is aborted', async () => {
  const { store, open } = createTestBed({ maxBytes: 1000 });
  store.transact((tx) => tx.put('tree', KEY, Buffer.alloc(2000)));
  const parts = open(new Source(100).open);
  await parts.next();
  store.transact((tx) => tx.put('tree', KEY, Buffer.alloc(1)));
  expect(parts.broken.aborted).toBe(true);
  await expect(parts.next()).rejects.toMatchObject({ code: 'request/overload' });
});

test('[L83] a bug aborts the response and is logged', async () => {
  const { errors, open } = createTestBed();
  const parts = open(function* () {
    yield PIECE;
    throw new Error('on purpose');
  });
  await expect(parts.next()).rejects.toThrow('on purpose');
  expect(parts.broken.aborted).toBe(true);
  expect(errors.join('')).toContain('on purpose');
});

test('[L84] when all places are taken, the network with the most long responses gives way to another', async () => {
  const { open, longReads, store } = createTestBed();
  const first = open(oneEachStep, NEVER_MS, 'n1');
  const more = [1, 2].map(() => open(oneEachStep, NEVER_MS, 'n1'));
  const own = (): unknown => open(oneEachStep, NEVER_MS, 'n1');
  expect(own).toThrow(expect.objectContaining({ code: 'request/overload' }));
  const other = open(oneEachStep, NEVER_MS, 'n2');
  const third = open(oneEachStep, NEVER_MS, 'n3');
  expect([first, ...more, other, third].map(({ broken }) => broken.aborted)).toEqual([
    true,
    false,
    false,
    false,
    false,
  ]);
  await expect(first.next()).rejects.toMatchObject({ code: 'request/overload' });
  for (const parts of [...more, other, third]) parts.end();
  expect(longReads.usage).toMatchObject({ used: 0, evicted: 1 });
  expect(isFree(store)).toBe(true);
});

test('[L84] a response without a snapshot takes no place', () => {
  const { open, longReads } = createTestBed({ maxSnapshots: 1 });
  const first = open(oneEachStep);
  expect(() => open(oneEachStep)).toThrow(expect.objectContaining({ code: 'request/overload' }));
  first.end();
  expect(longReads.usage.used).toBe(0);
});
