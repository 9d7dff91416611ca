import { createHash } from 'node:crypto';
import type { Account } from '../account.ts';
import { randomSecret } from './random-secret.ts';

/** Codes that an account gets at once. */
const RECOVERY_CODE_COUNT = 10;
/** More than 112 bits: a code that long cannot be found from its hash, quick as that is to make. */
const CODE_BYTES = 15;
const CODE = /^[A-Z2-7]{24}$/;

/**
 * New recovery codes, as people are to write them down: 120 random bits in base32, in four groups of six.
 */
export function newRecoveryCodes(randomBytes: (count: number) => Uint8Array): readonly string[] {
  return Array.from({ length: RECOVERY_CODE_COUNT }, () => {
    const { base32 } = randomSecret(CODE_BYTES, randomBytes);
    return base32.replace(/.{6}(?=.)/g, '$&-').toLowerCase();
  });
}

/** An account with recovery codes in place of those that it had. */
export function withRecoveryCodes(account: Account, codes: readonly string[]): Account {
  return { ...account, recoveryCodes: codes.map((code) => hashOf(normalize(code))) };
}

/** The account without the recovery code that this is, however it is written; `undefined` if it is none. */
export function spendRecoveryCode(account: Account, text: string): Account | undefined {
  const code = normalize(text);
  if (!CODE.test(code)) return undefined;
  const hash = hashOf(code);
  if (!account.recoveryCodes.includes(hash)) return undefined;
  return { ...account, recoveryCodes: account.recoveryCodes.filter((other) => other !== hash) };
}

function normalize(text: string): string {
  return text.replace(/[\s-]/g, '').toUpperCase();
}

function hashOf(code: string): string {
  return createHash('sha256').update(code).digest('base64url');
}
