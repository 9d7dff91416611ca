import { expect, onTestFinished, test, vi } from 'vitest';
import { createLogger } from '../../platform/logger.ts';
import { MemoryStore } from '../../storage/kv/memory.ts';
import { MAX_IDLE_MS, type SnapshotOptions, SnapshotStore } from '../../storage/kv/snapshot-store.ts';
import type { KvRead } from '../../storage/kv/store.ts';
import { MAX_STEP_BYTES, MAX_STEP_MS, ReadLane, SnapshotParts } from './snapshot-read.ts';

const PIECE = Buffer.alloc(65_536, 'x');
const NEVER_MS = 2 ** 31 - 1;
const KEY = Buffer.from('a');

/** A text of `count` pieces, which tells how many have been made. */
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
  open(openPieces: (tx: KvRead) => Iterator<Buffer>, timeoutMs?: number): SnapshotParts;
}

/** Its clock moves on by `tickMs` whenever it is looked at. */
function createTestBed(options: SnapshotOptions = {}, tickMs = 0): TestBed {
  const errors: string[] = [];
  const logger = createLogger('error', { write: (line) => errors.push(line) });
  const store = new SnapshotStore(new MemoryStore(), options);
  const lane = new ReadLane();
  let elapsedMs = 0;
  const clock = { nowMs: () => 0, elapsedMs: () => (elapsedMs += tickMs) };
  const open: TestBed['open'] = (openPieces, timeoutMs = NEVER_MS) =>
    new SnapshotParts({ store, clock, lane, logger, openPieces, timeoutMs });
  return { store, errors, lane, open };
}

/** Timers go on when the test says so. */
function holdTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
}

function isFree(store: SnapshotStore): boolean {
  using snapshot = store.openSnapshot();
  return snapshot !== undefined;
}

test('[L81][L82] nothing is made before it is asked for, and then no more than one step', async () => {
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

test('[L82] a step ends when it has had its time, with whatever it has made', async () => {
  const source = new Source(100);
  const parts = createTestBed({}, 1).open(source.open);
  await parts.next();
  expect(source.made).toBeLessThanOrEqual(MAX_STEP_MS);
  await parts.return();
});

test('[L82] pieces without bytes are no parts, and others have their turn between steps', async () => {
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

test('[L82] several long reads take turns', async () => {
  const testBed = createTestBed({}, MAX_STEP_MS / 2);
  const order: string[] = [];
  const read = async (name: string): Promise<void> => {
    const parts = testBed.open(new Source(3).open);
    for await (const _part of parts) order.push(name);
  };
  await Promise.all([read('a'), read('b')]);
  expect(order).toEqual(['a', 'b', 'a', 'b', 'a', 'b']);
});

test('[L83] the state is let go at the end, and by whoever returns before it has begun', async () => {
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

test('[L84] a read beyond the most long ones is refused', () => {
  const { open } = createTestBed({ maxSnapshots: 1 });
  open(new Source(1).open);
  expect(() => open(new Source(1).open)).toThrow(expect.objectContaining({ code: 'request/overload' }));
});

test('[L84] it takes the place of the reader who has taken nothing for longest, if that is long', async () => {
  const { open } = createTestBed({ maxSnapshots: 2 }, MAX_IDLE_MS / 2);
  const idle = open(new Source(2).open);
  const asking = open(new Source(2).open);
  const part = asking.next();
  await expect(part).resolves.toMatchObject({ value: PIECE });
  open(new Source(2).open);
  expect(idle.broken.aborted).toBe(true);
  expect(asking.broken.aborted).toBe(false);
  await expect(idle.next()).rejects.toMatchObject({ code: 'request/overload' });
});

test('[L83] what is not read in its time breaks, and whoever is not asking is told', async () => {
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

test('[L83] what was read to its end is not broken later', async () => {
  holdTimers();
  const parts = createTestBed().open(new Source(2).open, 5);
  for await (const _part of parts);
  vi.advanceTimersByTime(5);
  expect(parts.broken.aborted).toBe(false);
});

test('[L83] a state that cannot be kept breaks the text', async () => {
  const { store, open } = createTestBed({ maxBytes: 1000 });
  store.transact((tx) => tx.put('tree', KEY, Buffer.alloc(2000)));
  const parts = open(new Source(100).open);
  await parts.next();
  store.transact((tx) => tx.put('tree', KEY, Buffer.alloc(1)));
  expect(parts.broken.aborted).toBe(true);
  await expect(parts.next()).rejects.toMatchObject({ code: 'request/overload' });
});

test('[L83] so does a bug, which is logged', async () => {
  const { errors, open } = createTestBed();
  const parts = open(function* () {
    yield PIECE;
    throw new Error('on purpose');
  });
  await expect(parts.next()).rejects.toThrow('on purpose');
  expect(parts.broken.aborted).toBe(true);
  expect(errors.join('')).toContain('on purpose');
});
