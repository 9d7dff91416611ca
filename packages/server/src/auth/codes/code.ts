import type { JsonObject } from '../fields.ts';
import { StoredRecord } from '../stored-record.ts';

/** The action that a code from an email permits, and its account. The properties have the names that clients use. */
export type CodePurpose =
  | AddressPurpose<'PASSWORD_RESET'>
  | AddressPurpose<'VERIFY_EMAIL'>
  /** There may be no account with the address. */
  | { readonly kind: 'EMAIL_SIGNIN'; readonly email: string }
  | {
      readonly kind: 'VERIFY_AND_CHANGE_EMAIL';
      readonly uid: string;
      readonly email: string;
      readonly newEmail: string;
      /**
       * `Account.validSinceSec` when the code was requested. A change that revokes the tokens of the account
       * also voids the code.
       */
      readonly validSinceSec: number;
    }
  /**
   * Restores the address that the account had before `newEmail`. `newEmail` is `null` if the address was removed
   * and not replaced.
   */
  | {
      readonly kind: 'RECOVER_EMAIL';
      readonly uid: string;
      readonly email: string;
      readonly newEmail: string | null;
      /** Whether `email` had been verified. If not, the code becomes void when `newEmail` is verified. */
      readonly wasVerified: boolean;
    }
  | {
      readonly kind: 'REVERT_SECOND_FACTOR_ADDITION';
      readonly uid: string;
      readonly email: string;
      readonly enrollmentId: string;
    };

interface AddressPurpose<Kind extends string> {
  readonly kind: Kind;
  readonly uid: string;
  /** The address of the account. The code is void if the account no longer has it. */
  readonly email: string;
}

export type CodeKind = CodePurpose['kind'];

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * How long codes are valid. Codes that revert a change are valid long enough for a user to return from
 * holidays.
 */
export const LIFETIMES_MS: Readonly<Record<CodeKind, number>> = {
  PASSWORD_RESET: HOUR_MS,
  VERIFY_EMAIL: 3 * DAY_MS,
  EMAIL_SIGNIN: 6 * HOUR_MS,
  VERIFY_AND_CHANGE_EMAIL: 3 * DAY_MS,
  RECOVER_EMAIL: 30 * DAY_MS,
  REVERT_SECOND_FACTOR_ADDITION: 30 * DAY_MS,
};

/** The parameter `mode` of links in mails. */
export const ACTION_MODES = {
  PASSWORD_RESET: 'resetPassword',
  VERIFY_EMAIL: 'verifyEmail',
  EMAIL_SIGNIN: 'signIn',
  VERIFY_AND_CHANGE_EMAIL: 'verifyAndChangeEmail',
  RECOVER_EMAIL: 'recoverEmail',
  REVERT_SECOND_FACTOR_ADDITION: 'revertSecondFactorAddition',
} as const satisfies Readonly<Record<CodeKind, string>>;

/** A code that was issued and has not been used. */
export interface StoredCode {
  readonly purpose: CodePurpose;
  /** When this code, or the first of the codes that it replaced, was issued. */
  readonly sinceMs: number;
  readonly expiresAtMs: number;
  /** Whether the code was mailed to the address, and not returned to an administrator. */
  readonly wasMailed: boolean;
  /** Number of attempts to sign in with the code and a different address. */
  readonly mismatches: number;
}

/** Encodes a code for `codes/<hash>`: the members of its purpose and those of `StoredCode`. History: format 1. */
export function encodeCode({ purpose, ...code }: StoredCode): JsonObject {
  return { ...purpose, ...code };
}

export function decodeCode(json: unknown): StoredCode {
  const record = new StoredRecord(json);
  return {
    purpose: decodePurpose(record),
    sinceMs: record.number('sinceMs') ?? 0,
    expiresAtMs: record.number('expiresAtMs') ?? 0,
    wasMailed: record.flag('wasMailed'),
    mismatches: record.number('mismatches') ?? 0,
  };
}

function decodePurpose(record: StoredRecord): CodePurpose {
  const kind = record.text('kind') as CodeKind;
  const email = record.text('email') ?? '';
  const account = { uid: record.text('uid') ?? '', email };
  switch (kind) {
    case 'PASSWORD_RESET':
    case 'VERIFY_EMAIL':
      return { kind, ...account };
    case 'EMAIL_SIGNIN':
      return { kind, email };
    case 'VERIFY_AND_CHANGE_EMAIL':
      return {
        kind,
        ...account,
        newEmail: record.text('newEmail') ?? '',
        validSinceSec: record.number('validSinceSec') ?? 0,
      };
    case 'RECOVER_EMAIL':
      return {
        kind,
        ...account,
        newEmail: record.text('newEmail') ?? null,
        wasVerified: record.flag('wasVerified'),
      };
    case 'REVERT_SECOND_FACTOR_ADDITION':
      return { kind, ...account, enrollmentId: record.text('enrollmentId') ?? '' };
    default:
      kind satisfies never;
      throw new Error('Bug: a stored code has an unknown kind.');
  }
}
