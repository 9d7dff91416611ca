import { expect, test, vi } from 'vitest';
import { liveConnectionsContract } from '../access/live-connections.contract.ts';
import { ADMIN, ANONYMOUS, type Principal } from '../access/principal.ts';
import type { Holder } from '../platform/lease.ts';
import { TEST_HOLDER } from '../platform/pools.fixture.ts';
import { type PoolLimits, ResourcePool } from '../platform/resource-pool.ts';
import { releasablePartsContract } from './byte-parts.contract.ts';
import { type FeedSource, feedEvent, type LiveFeed, LiveFeeds, NOTHING_TO_SEND } from './feed.ts';

const REVOKED = 'event: auth_revoked\ndata: "credential is no longer valid"\n\n';

/** A source of numbers. Each call of `increase` adds one to the latest number. */
class Numbers implements FeedSource {
  readonly #wake: () => void;
  #latest = 0;
  #reported = 0;
  ends = 0;

  constructor(wake: () => void) {
    this.#wake = wake;
  }

  get hasEnded(): boolean {
    return this.ends > 0;
  }

  increase(): void {
    this.#latest += 1;
    this.#wake();
  }

  next() {
    if (this.#reported === this.#latest) return NOTHING_TO_SEND;
    this.#reported = this.#latest;
    return feedEvent('number', String(this.#latest));
  }

  end(): void {
    this.ends++;
  }
}

const LIMITS: PoolLimits = { total: 9, reserve: 0, ofNetwork: 9, ofIdentity: 9, idleMs: 60_000 };

function openTestBed(limits: Partial<PoolLimits> = {}, maxOfDatabase = 9) {
  const time = { ms: 0 };
  const clock = { nowMs: () => time.ms, elapsedMs: () => time.ms };
  const places = new ResourcePool({ ...LIMITS, ...limits }, clock.elapsedMs);
  const feeds = new LiveFeeds({ clock, places, maxOfDatabase });
  const open = (
    principal: Principal = ADMIN,
    database = 'demo',
    holder: Holder = TEST_HOLDER,
  ): { readonly feed: LiveFeed; readonly numbers: Numbers } => {
    let numbers = new Numbers(() => undefined);
    const feed = feeds.open(principal, holder, database, (wake) => {
      numbers = new Numbers(wake);
      return numbers;
    });
    return { feed, numbers };
  };
  return { time, feeds, places, open };
}

releasablePartsContract('live feed', async () => {
  const { feeds, open } = openTestBed();
  const { feed, numbers } = open();
  numbers.increase();
  return { parts: feed, releases: () => (feeds.count === 0 ? numbers.ends : 0) };
});

liveConnectionsContract('live feeds', async () => {
  const { feeds, open } = openTestBed();
  return {
    live: feeds,
    async connect(kind) {
      const { feed, numbers } = open(kind === 'admin' ? ADMIN : ANONYMOUS);
      // The reader of a feed always waits for its next event.
      void feed.next();
      return () => !numbers.hasEnded;
    },
    // The feeds generate their events one after another, one in each round of the event loop.
    async settle() {
      for (let count = 0; count < 10; count++) await new Promise(setImmediate);
    },
  };
});

async function textOf(feed: LiveFeed): Promise<string | undefined> {
  const { value } = await feed.next();
  return value?.toString();
}

test('[H423] a waiting reader gets an event immediately, and a slow reader gets only the latest event', async () => {
  const { open } = openTestBed();
  const { feed, numbers } = open();
  const waiting = textOf(feed);
  numbers.increase();
  expect(await waiting).toBe('event: number\ndata: 1\n\n');
  for (let count = 0; count < 3; count++) numbers.increase();
  expect(await textOf(feed)).toBe('event: number\ndata: 4\n\n');
});

test('[H423] an idle feed sends keep-alive comments', async () => {
  vi.useFakeTimers();
  const { open } = openTestBed();
  const waiting = textOf(open().feed);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(await waiting).toBe(': still there\n\n');
  vi.useRealTimers();
});

test('[H426] a feed ends its source when the reader calls `return` and when the server closes', async () => {
  const { feeds, open } = openTestBed();
  const left = open();
  const closed = open();
  const waiting = closed.feed.next();
  await left.feed.return();
  expect(left.numbers.hasEnded).toBe(true);
  feeds[Symbol.dispose]();
  expect(await waiting).toEqual({ done: true, value: undefined });
  expect(closed.numbers.hasEnded).toBe(true);
  expect(open).toThrow();
});

test('[H426] a feed sends auth_revoked and ends when its credential expires', async () => {
  const { time, open } = openTestBed();
  const { feed, numbers } = open({ kind: 'admin', expiresAtMs: 1_000 });
  time.ms = 999;
  numbers.increase();
  expect(await textOf(feed)).toContain('number');
  time.ms = 1_000;
  numbers.increase();
  expect(await textOf(feed)).toBe(REVOKED);
  expect(numbers.hasEnded).toBe(true);
  expect(await feed.next()).toEqual({ done: true, value: undefined });
});

test('[H426] a feed ends when its credential is revoked, and other feeds continue', async () => {
  const { feeds, open } = openTestBed();
  const revoked = open(ANONYMOUS);
  const other = open(ADMIN);
  const waiting = textOf(revoked.feed);
  feeds.revokeCredentials((principal) => principal.kind === 'guest');
  expect(await waiting).toBe(REVOKED);
  expect(revoked.numbers.hasEnded).toBe(true);
  expect(other.numbers.hasEnded).toBe(false);
});

test('[H425] a feed over the limit is rejected until another one has ended', async () => {
  const { open } = openTestBed({ total: 2 });
  const first = open();
  open();
  expect(open).toThrow('There are already 2 live pages: wait until one of them ends, or end one.');
  await first.feed.return();
  expect(open).not.toThrow();
});

test('[H425] each member and each database has its own limit of feeds', async () => {
  const { open } = openTestBed({ ofIdentity: 2 }, 3);
  const openAs = (identity: string, database = 'demo') => open(ADMIN, database, { ...TEST_HOLDER, identity });
  openAs('ann');
  const second = openAs('ann', 'other');
  expect(() => openAs('ann')).toThrow('You already have 2 live pages');
  openAs('ben');
  open();
  expect(() => open()).toThrow('The database has 3 live pages open: close some of them.');
  expect(() => open(ADMIN, 'other')).not.toThrow();
  await second.feed.return();
  expect(() => openAs('ann', 'other')).not.toThrow();
});

test('[H622] the member with the most feeds of a database loses the oldest to another member', async () => {
  const { feeds, open } = openTestBed({}, 3);
  const openAs = (identity: string) => open(ADMIN, 'demo', { ...TEST_HOLDER, identity });
  const [oldest, second] = [openAs('ann'), openAs('ann')];
  openAs('ben');
  openAs('cat');
  expect([oldest.feed.broken.aborted, second.feed.broken.aborted, feeds.count]).toEqual([true, false, 3]);
  expect(() => openAs('ann')).toThrow('The database has 3 live pages open');
});

test('[H425] a feed whose reader has taken nothing for a minute is ended for a new feed, also for one of the same member', () => {
  const { open, time } = openTestBed({ ofIdentity: 2 });
  const openAsAnn = () => open(ADMIN, 'demo', { ...TEST_HOLDER, identity: 'ann' });
  const [idle, read] = [openAsAnn(), openAsAnn()];
  time.ms = 30_000;
  void read.feed.next();
  time.ms = 60_000;
  openAsAnn();
  expect([idle.feed.broken.aborted, idle.numbers.ends]).toEqual([true, 1]);
  expect(read.feed.broken.aborted).toBe(false);
  expect(openAsAnn).toThrow('You already have 2 live pages');
});

test('[H425] a feed whose source cannot be opened takes no place', () => {
  const { feeds, places } = openTestBed();
  const fail = () => {
    throw new Error('no source');
  };
  expect(() => feeds.open(ADMIN, TEST_HOLDER, 'demo', fail)).toThrow('no source');
  expect([feeds.count, places.usage.used]).toEqual([0, 0]);
});

test('[H413] of feeds that are woken together, one is served in each iteration of the event loop', async () => {
  const { open } = openTestBed();
  const opened = [open(), open(), open()];
  const servedIn: number[] = [];
  let iteration = 0;
  const reported = opened.map(async ({ feed }) => {
    await feed.next();
    servedIn.push(iteration);
  });
  for (const { numbers } of opened) numbers.increase();
  while (servedIn.length < opened.length) {
    await new Promise((resolve) => setImmediate(resolve));
    iteration += 1;
  }
  await Promise.all(reported);
  expect(new Set(servedIn).size).toBe(opened.length);
});

test('[H421] the parts of an event are sent in order', async () => {
  const { feeds } = openTestBed();
  const steps = [{ kind: 'event', parts: [Buffer.from('a'), Buffer.from('b')] }, NOTHING_TO_SEND] as const;
  let calls = 0;
  const feed = feeds.open(ADMIN, TEST_HOLDER, 'demo', () => ({
    next: () => steps[calls++] ?? NOTHING_TO_SEND,
    end: () => undefined,
  }));
  expect([await textOf(feed), await textOf(feed)]).toEqual(['a', 'b']);
  await feed.return();
});
