import type { UsedSecondFactor } from '../tokens/id-token.ts';
import type { JsonObject } from './fields.ts';
import type { Session, SignInFacts } from './session.ts';
import { StoredRecord } from './stored-record.ts';

/** A session as it is kept at `sessions/<id>`: the members of `Session`; objects of free shape are JSON text. */
export function encodeSession({ id: _id, ...session }: Session): JsonObject {
  return { ...session, ...encodeFacts(session) };
}

/** What a sign-in brought, as it is kept in records of several kinds. */
export function encodeFacts({
  provider,
  secondFactor,
  sessionClaims,
  signInAttributes,
}: SignInFacts): JsonObject {
  return {
    provider,
    secondFactor: secondFactor === null ? null : { ...secondFactor },
    sessionClaims: sessionClaims === null ? null : JSON.stringify(sessionClaims),
    signInAttributes: signInAttributes === null ? null : JSON.stringify(signInAttributes),
  };
}

export function decodeSession(id: string, json: unknown): Session {
  const record = new StoredRecord(json);
  const device = record.record('device');
  return {
    id,
    uid: record.text('uid') ?? '',
    createdAtMs: record.number('createdAtMs') ?? 0,
    authTimeSec: record.number('authTimeSec') ?? 0,
    lastUsedAtMs: record.number('lastUsedAtMs') ?? 0,
    ...decodeFacts(record),
    device: { userAgent: device?.text('userAgent') ?? '', network: device?.text('network') ?? '' },
    seed: record.text('seed') ?? '',
    generation: record.number('generation') ?? 0,
    isRotating: record.flag('isRotating'),
    rotatedAtMs: record.number('rotatedAtMs') ?? 0,
    previousRotatedAtMs: record.number('previousRotatedAtMs') ?? 0,
  };
}

export function decodeFacts(record: StoredRecord): SignInFacts {
  return {
    provider: record.text('provider') ?? '',
    secondFactor: decodeFactor(record.record('secondFactor')),
    sessionClaims: parseObject(record.text('sessionClaims')),
    signInAttributes: parseObject(record.text('signInAttributes')),
  };
}

function decodeFactor(record: StoredRecord | undefined): UsedSecondFactor | null {
  if (record === undefined) return null;
  return { kind: record.text('kind') ?? '', enrollmentId: record.text('enrollmentId') ?? '' };
}

function parseObject(text: string | null): JsonObject | null {
  return text === null ? null : (JSON.parse(text) as JsonObject);
}
