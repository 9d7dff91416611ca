import fc from 'fast-check';
import { expect, test } from 'vitest';
import { GuessModel } from './guess-model.fixture.ts';
import { type Guess, type GuessResult, PasswordGuesses } from './guesses.ts';
import { SERVING, type ThrottleLimits } from './limits.ts';

const HOUR_MS = 3_600_000;
const OWNER = { projectId: 'p', apiKey: 'web', account: 'ann', address: '192.0.2.7' };

/** Tries a password at `nowMs`, and returns whether it was verified. */
function tryPassword(guesses: PasswordGuesses, guess: Guess, nowMs: number, result: GuessResult): boolean {
  const end = guesses.begin(guess, nowMs);
  end?.(result, nowMs);
  return end !== undefined;
}

test('[I490] from the fifth wrong password on, each one locks the account in its network for twice as long as the one before, at most an hour', () => {
  const guesses = new PasswordGuesses(SERVING);
  let nowMs = 0;
  for (let failure = 1; failure < 5; failure++)
    expect(tryPassword(guesses, OWNER, nowMs, 'wrong')).toBe(true);
  for (const lockSec of [15, 30, 60, 120, 240, 480, 960, 1_920, 3_600, 3_600]) {
    expect(tryPassword(guesses, OWNER, nowMs, 'wrong')).toBe(true);
    nowMs += lockSec * 1_000 - 1;
    expect(tryPassword(guesses, { ...OWNER, address: '192.0.2.8' }, nowMs, 'right')).toBe(false);
    nowMs += 1;
  }
  expect(tryPassword(guesses, OWNER, nowMs, 'right')).toBe(true);
  for (let failure = 1; failure < 5; failure++) tryPassword(guesses, OWNER, nowMs, 'wrong');
  expect(tryPassword(guesses, OWNER, nowMs, 'right')).toBe(true);
});

test('[I490] the count of wrong passwords is cleared a day after the last wrong password', () => {
  const guesses = new PasswordGuesses(SERVING);
  for (let failure = 1; failure <= 4; failure++) tryPassword(guesses, OWNER, 0, 'wrong');
  for (let failure = 1; failure <= 4; failure++)
    expect(tryPassword(guesses, OWNER, 24 * HOUR_MS, 'wrong')).toBe(true);
  expect(tryPassword(guesses, OWNER, 24 * HOUR_MS, 'wrong')).toBe(true);
  expect(tryPassword(guesses, OWNER, 24 * HOUR_MS, 'wrong')).toBe(false);
});

test('[I492] of 100 passwords sent at the same time, five are verified', () => {
  const guesses = new PasswordGuesses(SERVING);
  const ends = Array.from({ length: 100 }, () => guesses.begin(OWNER, 0)).filter((end) => end !== undefined);
  expect(ends).toHaveLength(5);
  for (const end of ends) end('undecided', 0);
  expect(guesses.begin(OWNER, 0)).toBeDefined();
});

test('[I599] up to 20 passwords at the same time are verified from a network where the password was recently right, until the first lock', () => {
  const guesses = new PasswordGuesses(SERVING);
  const beginAll = () =>
    Array.from({ length: 30 }, () => guesses.begin(OWNER, 0)).flatMap((end) => end ?? []);
  expect(tryPassword(guesses, OWNER, 0, 'right')).toBe(true);
  const ends = beginAll();
  expect(ends).toHaveLength(20);
  for (const end of ends) end('right', 0);
  for (let failure = 1; failure < 5; failure++) tryPassword(guesses, OWNER, 0, 'wrong');
  const afterFour = beginAll();
  expect(afterFour).toHaveLength(16);
  for (const end of afterFour) end('undecided', 0);
  tryPassword(guesses, OWNER, 0, 'wrong');
  expect(guesses.begin(OWNER, 15_000)).toBeDefined();
  expect(guesses.begin(OWNER, 15_000)).toBeUndefined();
});

test('[I493] wrong passwords from 1,000 other networks do not lock the network that the owner uses', () => {
  const guesses = new PasswordGuesses(SERVING);
  expect(tryPassword(guesses, OWNER, 0, 'right')).toBe(true);
  const verified = Array.from({ length: 1_000 }, (_, n) =>
    tryPassword(guesses, { ...OWNER, address: `10.${n >> 8}.${n & 255}.1` }, 0, 'wrong'),
  );
  expect(verified.filter((isVerified) => isVerified)).toHaveLength(100);
  expect(tryPassword(guesses, { ...OWNER, address: '198.51.100.1' }, 0, 'right')).toBe(false);
  expect(tryPassword(guesses, OWNER, 0, 'right')).toBe(true);
  // One more every five minutes.
  expect(tryPassword(guesses, { ...OWNER, address: '198.51.100.1' }, HOUR_MS / 12, 'right')).toBe(true);
});

test.each([
  ['one address', 60, (n: number) => ({ ...OWNER, account: `a${n}` })],
  ['one /24', 300, (n: number) => ({ ...OWNER, account: `a${n}`, address: `192.0.2.${n % 250}` })],
  [
    'one /64',
    60,
    (n: number) => ({ ...OWNER, account: `a${n}`, address: `2001:db8:1:2::${n.toString(16)}` }),
  ],
  [
    'one /48',
    300,
    (n: number) => ({ ...OWNER, account: `a${n}`, address: `2001:db8:1:${n.toString(16)}::1` }),
  ],
  ['text that is not an address', 60, (n: number) => ({ ...OWNER, account: `a${n}`, address: '' })],
])('[I493] from %s, %i passwords for different accounts are verified', (_name, count, guessOf) => {
  const guesses = new PasswordGuesses(SERVING);
  const verified = Array.from({ length: 500 }, (_, n) => tryPassword(guesses, guessOf(n), 0, 'wrong'));
  expect(verified.filter((isVerified) => isVerified)).toHaveLength(count);
});

/** Returns how many of 20,000 wrong passwords are verified, each for another account and from another network. */
function countVerified(guesses: PasswordGuesses, more: (n: number) => Partial<Guess>): number {
  let verified = 0;
  for (let n = 0; n < 20_000; n++) {
    const guess = { ...OWNER, account: `a${n}`, address: `10.${n >> 8}.${n & 255}.1`, ...more(n) };
    if (tryPassword(guesses, guess, 0, 'wrong')) verified++;
  }
  return verified;
}

test('[I643] wrong passwords by one API key use at most half of the budget of its project', () => {
  const guesses = new PasswordGuesses(SERVING);
  expect(countVerified(guesses, () => ({ apiKey: 'web' }))).toBe(5_000);
  expect(countVerified(guesses, () => ({ apiKey: 'phone' }))).toBe(5_000);
  expect(countVerified(guesses, () => ({ apiKey: 'watch' }))).toBe(0);
});

test('[I643] all projects together share a budget of the server', () => {
  const guesses = new PasswordGuesses({
    ...SERVING,
    failures: { ...SERVING.failures, server: { burst: 12_000, perHour: 12_000 } },
  });
  expect(countVerified(guesses, (n) => ({ projectId: `p${n % 8}`, apiKey: `k${n % 8}` }))).toBe(12_000);
});

test('[I494] a reset unlocks the account immediately', () => {
  const guesses = new PasswordGuesses(SERVING);
  for (let failure = 1; failure <= 5; failure++) tryPassword(guesses, OWNER, 0, 'wrong');
  expect(tryPassword(guesses, OWNER, 0, 'right')).toBe(false);
  guesses.lift(OWNER, 0);
  expect(tryPassword(guesses, OWNER, 0, 'right')).toBe(true);
});

test('[I498] when there are too many counters, those that were used longest ago are dropped first', () => {
  const guesses = new PasswordGuesses({ ...SERVING, maxKeys: 2 });
  const of = (account: string) => ({ ...OWNER, account });
  for (const account of ['a', 'b']) for (let n = 0; n < 5; n++) tryPassword(guesses, of(account), 0, 'wrong');
  expect(tryPassword(guesses, of('a'), 0, 'wrong')).toBe(false);
  expect(tryPassword(guesses, of('c'), 0, 'wrong')).toBe(true);
  expect(tryPassword(guesses, of('a'), 0, 'wrong')).toBe(false);
  expect(tryPassword(guesses, of('b'), 0, 'wrong')).toBe(true);
});

const SMALL: ThrottleLimits = {
  ...SERVING,
  lock: { freeFailures: 2, knownAtOnce: 4, firstMs: 1_000, longestMs: 5_000, forgottenAfterMs: 20_000 },
  failures: {
    account: { burst: 5, perHour: 900 },
    host: { burst: 4, perHour: 1_800 },
    site: { burst: 6, perHour: 1_800 },
    key: { burst: 7, perHour: 3_600 },
    project: { burst: 8, perHour: 3_600 },
    server: { burst: 9, perHour: 3_600 },
  },
  knownForMs: 8_000,
};

const guess = fc.record({
  projectId: fc.constantFrom('p', 'p', 'q'),
  apiKey: fc.constantFrom('web', 'web', 'phone', null),
  account: fc.constantFrom('ann', 'ann', 'ann', 'bob'),
  address: fc.constantFrom('192.0.2.1', '192.0.2.1', '192.0.2.2', '2001:db8::1', '2001:db8:0:1::1'),
});
const command = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('begin' as const), guess }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('end' as const),
      index: fc.nat(),
      result: fc.constantFrom<GuessResult>('wrong', 'wrong', 'right', 'undecided'),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.nat(6_000) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('lift' as const), guess }) },
);

test('[I490][I492][I493][I494][I599] the decisions equal those of a model with all past events', () => {
  fc.assert(
    fc.property(fc.array(command, { minLength: 20, maxLength: 80 }), (commands) => {
      const guesses = new PasswordGuesses(SMALL);
      const model = new GuessModel(SMALL);
      const open: ((result: GuessResult, nowMs: number) => void)[] = [];
      let nowMs = 0;
      for (const step of commands)
        switch (step.kind) {
          case 'wait':
            nowMs += step.ms;
            break;
          case 'lift':
            guesses.lift(step.guess, nowMs);
            model.lift(step.guess, nowMs);
            break;
          case 'end':
            for (const end of open.splice(step.index % Math.max(1, open.length), 1)) end(step.result, nowMs);
            break;
          default: {
            const end = guesses.begin(step.guess, nowMs);
            const expected = model.begin(step.guess, nowMs);
            expect(end !== undefined).toBe(expected !== undefined);
            if (end !== undefined && expected !== undefined)
              open.push((result, endMs) => {
                end(result, endMs);
                expected(result, endMs);
              });
          }
        }
    }),
    { numRuns: 1_000 },
  );
});
