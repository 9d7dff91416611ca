import { pbkdf2Sync } from 'node:crypto';
import type { AuthClient } from '../api/auth-client.fixture.ts';
import type { CaptchaAction } from './captcha.ts';
import { type Challenge, passwordOf } from './challenge.ts';

/** Solves a challenge and returns the token. `derivedKey` replaces the key of the solution. */
export function solve(challenge: Challenge, derivedKey?: string): string {
  const { cost, keyLength, keyPrefix, nonce, salt } = challenge.parameters;
  for (let counter = 0; ; counter++) {
    const password = passwordOf(nonce, counter);
    const key = pbkdf2Sync(password, Buffer.from(salt, 'hex'), cost, keyLength, 'sha256').toString('hex');
    if (key.startsWith(keyPrefix)) return tokenOf(challenge, { counter, derivedKey: derivedKey ?? key });
  }
}

/** Returns the token of a challenge and a solution. */
export function tokenOf(challenge: unknown, solution: unknown): string {
  return `alt2.${Buffer.from(JSON.stringify({ c: challenge, s: solution })).toString('base64url')}`;
}

/** Asks the server for a challenge and solves it. Returns the token. */
export async function solveFor(client: AuthClient, action: CaptchaAction, apiKey = 'any'): Promise<string> {
  const answer = await client.request('POST', '/__/auth/challenge', JSON.stringify({ apiKey, action }));
  return solve(JSON.parse(answer.text));
}

/** Sets which requests need a solved challenge, and gives the challenges the lowest cost. */
export async function enforceCaptcha(
  client: AuthClient,
  change: Partial<Readonly<Record<'emailPassword' | 'phone', 'AUDIT' | 'ENFORCE'>>>,
): Promise<void> {
  await client.settings((settings) => ({
    ...settings,
    captcha: { ...settings.captcha, ...change, cost: 1 },
  }));
}
