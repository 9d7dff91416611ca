import type { JsonObject } from '../fields.ts';
import { StoredRecord } from '../stored-record.ts';
import type { CodeKind, CodePurpose } from './code-purpose.ts';

/** A code that was handed out and not used yet. */
export interface StoredCode {
  readonly purpose: CodePurpose;
  /** When the code, or the first of those in whose place it is, was handed out. */
  readonly sinceMs: number;
  readonly expiresAtMs: number;
  /** Did it go to the address by mail, and to no administrator? */
  readonly wasMailed: boolean;
  /** How often somebody tried to sign in with it and another address. */
  readonly mismatches: number;
}

/** A code as it is kept at `codes/<hash>`: the members of its purpose and those of `StoredCode`. History: the first form. */
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
      throw new Error('Bug: a stored code is for nothing that is known.');
  }
}
