import { pbkdf2Sync, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { TestClock } from '../../records/memory-records.fixture.ts';
import { Captcha, type CaptchaRequest, CHALLENGE_MS } from './captcha.ts';
import type { Challenge } from './challenge.ts';
import { solve, tokenOf } from './solve-challenge.fixture.ts';

const REQUEST: CaptchaRequest = {
  projectId: 'shop',
  apiKey: 'key',
  tenantId: '',
  address: '192.0.2.1',
  action: 'signInWithPassword',
};

class TestBed {
  readonly clock = new TestClock();
  derivations = 0;
  readonly captcha = new Captcha({
    clock: this.clock,
    randomBytes,
    passwords: {
      derivePbkdf2: async (input, salt, { rounds, lengthBytes }) => {
        this.derivations += 1;
        return pbkdf2Sync(input, salt, rounds, lengthBytes, 'sha256');
      },
    },
  });

  issue(change: Partial<CaptchaRequest> = {}): Challenge {
    return this.captcha.issue({ ...REQUEST, ...change }, 2);
  }

  check(token: string, change: Partial<CaptchaRequest> = {}) {
    return this.captcha.check(token, { ...REQUEST, ...change });
  }

  /** Returns the cost of the next challenge for an address, as a multiple of the lowest cost. */
  costOf(address: string): number {
    return this.captcha.issue({ ...REQUEST, address }, 1_000).parameters.cost / 1_000;
  }
}

test('[I871][I872] a solution is valid once, and the second use costs no derivation', async () => {
  const bed = new TestBed();
  const token = solve(bed.issue());
  expect(await bed.check(token)).toBe('valid');
  expect(await bed.check(token)).toBe('invalid');
  expect(bed.derivations).toBe(1);
});

test.each<[string, Partial<CaptchaRequest>, string]>([
  ['another action', { action: 'signUpPassword' }, 'other-action'],
  ['another app', { apiKey: 'other' }, 'invalid'],
  ['another project', { projectId: 'blog' }, 'invalid'],
  ['another tenant', { tenantId: 'other' }, 'invalid'],
])(
  '[I871] a solution for %s is not valid, costs no derivation and is not used up',
  async (_, change, result) => {
    const bed = new TestBed();
    const token = solve(bed.issue(change));
    expect(await bed.check(token)).toBe(result);
    expect(bed.derivations).toBe(0);
    expect(await bed.check(token, change)).toBe('valid');
  },
);

test('[I871] a solution is valid until its challenge expires', async () => {
  const bed = new TestBed();
  const [early, late] = [solve(bed.issue()), solve(bed.issue())];
  bed.clock.ms += CHALLENGE_MS - 1_000;
  expect(await bed.check(early)).toBe('valid');
  bed.clock.ms += 1_000;
  expect(await bed.check(late)).toBe('invalid');
});

test('[I871][I873] a wrong solution uses up its challenge, and makes the next ones of the network more expensive', async () => {
  const bed = new TestBed();
  const challenge = bed.issue();
  expect(await bed.check(solve(challenge, '00'.repeat(32)))).toBe('invalid');
  expect(await bed.check(solve(challenge))).toBe('invalid');
  expect(bed.derivations).toBe(1);
  expect(bed.costOf('192.0.2.99')).toBeCloseTo(2 ** (1 / 3), 2);
  expect(bed.costOf('198.51.100.1')).toBe(1);
});

test('[I871] a challenge that the server did not sign costs no derivation', async () => {
  const bed = new TestBed();
  const challenge = bed.issue();
  const cheaper = { ...challenge, parameters: { ...challenge.parameters, cost: 1 } };
  expect(await bed.check(solve(cheaper))).toBe('invalid');
  const other = new TestBed();
  expect(await bed.check(solve(other.issue()))).toBe('invalid');
  expect(bed.derivations).toBe(0);
  expect(await bed.check(solve(challenge))).toBe('valid');
});

test('[I873] a solution from another network is valid, and doubles the cost of both networks', async () => {
  const bed = new TestBed();
  const token = solve(bed.issue());
  expect(await bed.check(token, { address: '198.51.100.1' })).toBe('valid');
  expect([bed.costOf('192.0.2.1'), bed.costOf('198.51.100.1')]).toEqual([2, 2]);
});

test('[I872] of many uses of one solution at the same time, one is valid', async () => {
  const bed = new TestBed();
  const token = solve(bed.issue());
  const results = await Promise.all(Array.from({ length: 20 }, () => bed.check(token)));
  expect(results.filter((result) => result === 'valid')).toHaveLength(1);
});

test('[I1620] the median of the times that clients report with valid solutions is kept for each action', async () => {
  const bed = new TestBed();
  const report = async (time: unknown, change: Partial<CaptchaRequest> = {}, key?: string) => {
    const token = solve(bed.issue(change), key);
    const { c, s } = JSON.parse(Buffer.from(token.slice('alt2.'.length), 'base64url').toString());
    return bed.check(tokenOf(c, { ...s, time }), change);
  };
  const times = [900.4, 100, 50_000, undefined, -1, '7', CHALLENGE_MS + 1, Number.MAX_VALUE, null];
  for (const time of times) expect(await report(time)).toBe('valid');
  expect(await report(1, {}, '00'.repeat(32))).toBe('invalid');
  await report(5, { action: 'getOobCode' });
  await report(6, { projectId: 'blog' });
  expect(bed.captcha.solvingTimes('shop')).toEqual([
    { action: 'signInWithPassword', reports: 3, medianMs: 900 },
    { action: 'getOobCode', reports: 1, medianMs: 5 },
  ]);
  expect(bed.captcha.solvingTimes('none')).toEqual([]);
  for (let count = 0; count < 101; count++) await report(20);
  expect(bed.captcha.solvingTimes('shop')[0]).toEqual({
    action: 'signInWithPassword',
    reports: 101,
    medianMs: 20,
  });
});
