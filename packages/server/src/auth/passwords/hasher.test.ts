import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { elapsedMs } from '../../platform/clock.ts';
import { randomBytes } from '../../platform/random.ts';
import type { Argon2Cost } from './argon2.ts';
import type { ImportedHash } from './hash.ts';
import { PasswordHasher, type PasswordHasherOptions } from './hasher.ts';
import { PasswordHasherBusy } from './hashing-queue.ts';
import { MAX_PASSWORD_BYTES, PasswordTooLong } from './policy.ts';
import { TaskThreads } from './task-threads.ts';
import { openSharedPlaces, openWaitingPlaces } from './waiting-places.fixture.ts';

const CHEAP: Argon2Cost = { memoryKiB: 64, passes: 2, parallelism: 1 };

const threads = new TaskThreads();
afterAll(() => threads[Symbol.asyncDispose]());

function openHasher(options: Partial<PasswordHasherOptions> = {}): PasswordHasher {
  const places = openWaitingPlaces();
  return new PasswordHasher({
    cost: CHEAP,
    threads,
    concurrency: 2,
    places,
    randomBytes,
    elapsedMs,
    ...options,
  });
}

const MD5_OF_ABC: ImportedHash = {
  kind: 'imported',
  parametersId: 'md5',
  parameters: {
    kind: 'digest',
    digest: 'md5',
    rounds: 1,
    saltSeparator: Buffer.alloc(0),
    order: 'salt-first',
  },
  salt: Buffer.from('a'),
  hash: createHash('md5').update('abc').digest(),
};

test('[I60] a hash is stored with its cost and its own salt', async () => {
  const hasher = openHasher();
  const [first, second] = await Promise.all([hasher.hash('password', 'n1'), hasher.hash('password', 'n1')]);
  expect(first).toMatchObject({ kind: 'native', cost: CHEAP });
  expect([first.salt.length, first.hash.length]).toEqual([16, 32]);
  expect(first.salt).not.toEqual(second.salt);
  expect(first.hash).not.toEqual(second.hash);
});

test('[I76] the event loop continues while a password is hashed', async () => {
  // Takes so long that other programs on the machine cannot delay the second iteration until it ends.
  const hasher = openHasher({ cost: { memoryKiB: 65_536, passes: 4, parallelism: 1 } });
  let ticks = 0;
  let isDone = false;
  const done = hasher.hash('password', 'n1').then(() => {
    isDone = true;
  });
  while (!isDone) {
    await new Promise((resolve) => setImmediate(resolve));
    ticks += 1;
  }
  await done;
  expect(ticks).toBeGreaterThan(1);
});

describe('a password', () => {
  const hasher = openHasher();

  test('[I60][I61] matches its own hash, and no other password does', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'binary' }),
        fc.string({ unit: 'binary' }),
        async (password, other) => {
          const stored = await hasher.hash(password, 'n1');
          expect(await hasher.verify(password, stored, 'n1')).toEqual({ isMatch: true, isOutdated: false });
          expect((await hasher.verify(other, stored, 'n1')).isMatch).toBe(other === password);
        },
      ),
      { numRuns: 40 },
    );
  });

  test.each([
    ['a space before it', ' pass word'],
    ['a space after it', 'pass word '],
    ['upper case', 'Pass word'],
    ['a zero character after it', 'pass word\0'],
    ['an accent in another form', 'pass wo\u0308rd'],
    ['a long text after it', `pass word${'x'.repeat(100)}`],
  ])('[I61] with %s is a different password', async (_name, other) => {
    const stored = await hasher.hash('pass word', 'n1');
    expect(await hasher.verify(other, stored, 'n1')).toEqual({ isMatch: false });
  });

  test('[I61] of the maximum length is significant to its last byte', async () => {
    const longest = 'ü'.repeat(MAX_PASSWORD_BYTES / 2);
    const stored = await hasher.hash(longest, 'n1');
    expect(await hasher.verify(longest, stored, 'n1')).toMatchObject({ isMatch: true });
    expect(await hasher.verify(`${longest.slice(0, -1)}ä`, stored, 'n1')).toMatchObject({ isMatch: false });
  });

  test('[I61] that is longer than the maximum is rejected, with and without an account', async () => {
    const password = `${'ü'.repeat(MAX_PASSWORD_BYTES / 2)}x`;
    const stored = await hasher.hash('password', 'n1');
    await expect(hasher.hash(password, 'n1')).rejects.toThrow(PasswordTooLong);
    await expect(hasher.verify(password, stored, 'n1')).rejects.toThrow(PasswordTooLong);
    await expect(hasher.verifyNothing(password, 'n1')).rejects.toThrow(PasswordTooLong);
  });
});

describe('cost', () => {
  test.each([
    ['fewer passes', { ...CHEAP, passes: 1 }],
    ['less memory', { ...CHEAP, memoryKiB: 32 }],
  ])('[I62] a hash with %s is outdated, and its replacement is returned', async (_name, cost) => {
    const stored = await openHasher({ cost }).hash('password', 'n1');
    const hasher = openHasher();
    expect(await hasher.verify('wrong', stored, 'n1')).toEqual({ isMatch: false });
    const verification = await hasher.verify('password', stored, 'n1');
    if (!verification.isMatch || !verification.isOutdated) throw new Error('The hash is not outdated.');
    expect(verification.replacement.cost).toEqual(CHEAP);
    expect(await hasher.verify('password', verification.replacement, 'n1')).toEqual({
      isMatch: true,
      isOutdated: false,
    });
  });

  test('[I62] a costlier hash is kept', async () => {
    const stored = await openHasher({ cost: { ...CHEAP, passes: 3 } }).hash('password', 'n1');
    const hasher = openHasher();
    expect(await hasher.verify('password', stored, 'n1')).toEqual({ isMatch: true, isOutdated: false });
    expect(await hasher.verify('wrong', stored, 'n1')).toEqual({ isMatch: false });
  });

  test('[I63] a missing account is answered like a wrong password, after one hash at the current cost', async () => {
    let salts = 0;
    const countSalts = (count: number): Uint8Array => {
      salts++;
      return randomBytes(count);
    };
    const hasher = openHasher({ randomBytes: countSalts });
    expect(await hasher.verifyNothing('password', 'n1')).toEqual({ isMatch: false });
    expect(salts).toBe(1);
    expect(await hasher.verify('wrong', MD5_OF_ABC, 'n1')).toEqual({ isMatch: false });
    expect(salts).toBe(2);
  });
});

test('[I75] the correct password for an imported hash returns a replacement, and a wrong password returns none', async () => {
  const hasher = openHasher();
  const verification = await hasher.verify('bc', MD5_OF_ABC, 'n1');
  if (!verification.isMatch || !verification.isOutdated) throw new Error('The hash is not outdated.');
  expect(await hasher.verify('bc', verification.replacement, 'n1')).toEqual({
    isMatch: true,
    isOutdated: false,
  });
  expect(await hasher.verify('abc', MD5_OF_ABC, 'n1')).toEqual({ isMatch: false });
});

test('[I65] passwords beyond the slots and the queue are rejected immediately, and the others are verified', async () => {
  const hasher = openHasher({ concurrency: 2, places: openSharedPlaces(3) });
  const stored = await hasher.hash('password', 'n1');
  const outcomes = await Promise.allSettled([
    hasher.hash('1', 'n1'),
    hasher.verify('wrong', stored, 'n1'),
    hasher.verify('password', stored, 'n1'),
    hasher.verifyNothing('4', 'n1'),
    hasher.verify('bc', MD5_OF_ABC, 'n1'),
    hasher.hash('6', 'n1'),
    hasher.verify('password', stored, 'n1'),
    hasher.verifyNothing('8', 'n1'),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual([
    ...Array.from({ length: 5 }, () => 'fulfilled'),
    ...Array.from({ length: 3 }, () => 'rejected'),
  ]);
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(PasswordHasherBusy);
  }
  expect(await hasher.verify('password', stored, 'n1')).toMatchObject({ isMatch: true });
});

test('[I691] the measured time of an imported hash is stored, and negative responses take at least the stored time', async () => {
  const stored: number[] = [];
  const floorStore = {
    read: () => 0,
    async write(floorMs: number): Promise<void> {
      stored.push(floorMs);
    },
  };
  const hasher = openHasher({ floorStore });
  await hasher.measure(MD5_OF_ABC);
  expect(stored).toEqual([expect.any(Number)]);
  expect(stored[0]).toBeGreaterThan(0);
  const [floorMs = 0] = stored;
  const slow = openHasher({ floorStore: { ...floorStore, read: () => floorMs + 100 } });
  const startedMs = elapsedMs();
  expect(await slow.verifyNothing('password', 'n1')).toEqual({ isMatch: false });
  expect(elapsedMs() - startedMs).toBeGreaterThan(floorMs + 90);
});
