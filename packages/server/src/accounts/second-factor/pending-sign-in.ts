import type { JsonObject } from '../fields.ts';
import type { SignInFacts } from '../session.ts';
import { decodeFacts, encodeFacts } from '../session-record.ts';
import { StoredRecord } from '../stored-record.ts';

/** A sign-in whose first proof was given. */
export interface PendingSignIn {
  readonly facts: SignInFacts;
  readonly createdAtMs: number;
  /** How many second proofs were wrong. */
  readonly wrongCodes: number;
}

/** As it is kept at `challenges/<uid>/open/<key>`. */
export function encodePending({ facts, createdAtMs, wrongCodes }: PendingSignIn): JsonObject {
  return { ...encodeFacts(facts), createdAtMs, wrongCodes };
}

export function decodePending(json: unknown): PendingSignIn {
  const record = new StoredRecord(json);
  return {
    facts: decodeFacts(record),
    createdAtMs: record.number('createdAtMs') ?? 0,
    wrongCodes: record.number('wrongCodes') ?? 0,
  };
}
