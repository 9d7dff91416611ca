import type { RecordTransaction, RecordView } from '../../records/store.ts';
import { isJsonObject, type JsonObject } from '../fields.ts';
import { clearUnfinished } from '../mfa/attempts.ts';
import { removeAllPending } from '../mfa/pending-sign-in.ts';
import type { AuthRequest } from '../request.ts';
import type { AuthServices } from '../services.ts';
import { memoizeByObject, requireRecord } from '../stored-record.ts';
import { decodeSession, deviceOf, encodeSession, type Session, type SignInClaims } from './session.ts';

/** Maximum number of sessions of one account. When another one starts, the oldest ends. */
const MAX_SESSIONS = 200;

const sessionOf = memoizeByObject((record: JsonObject, id: string) => decodeSession(id, record));

export function findSession(records: RecordView, id: string): Session | undefined {
  const json = records.find(['sessions', id]);
  return json === undefined ? undefined : sessionOf(requireRecord(json), id);
}

/** Returns the sessions of an account, in no particular order. */
export function listSessions(records: RecordView, uid: string): readonly Session[] {
  return sessionIds(records, uid).flatMap(({ id }) => findSession(records, id) ?? []);
}

export function countSessions(records: RecordView, uid: string): number {
  return records.listKeys(['sessionsOf', uid], { limit: MAX_SESSIONS + 1 }).length;
}

/** Adds a new session. Ends the oldest ones if there are too many. */
export function addSession(records: RecordTransaction, session: Session): void {
  const others = sessionIds(records, session.uid);
  const surplus = others.length - MAX_SESSIONS + 1;
  if (surplus > 0)
    for (const { id } of others.toSorted((a, b) => a.createdAtMs - b.createdAtMs).slice(0, surplus))
      endSession(records, session.uid, id);
  records.write(['sessionsOf', session.uid, session.id], session.createdAtMs);
  saveSession(records, session);
}

export function saveSession(records: RecordTransaction, session: Session): void {
  records.write(['sessions', session.id], encodeSession(session));
}

export function endSession(records: RecordTransaction, uid: string, id: string): void {
  records.write(['sessions', id], null);
  records.write(['sessionsOf', uid, id], null);
}

/**
 * Ends all sessions and pending sign-ins of an account; or, if there is a condition, only the sessions that
 * meet it.
 */
export function endSessions(
  records: RecordTransaction,
  uid: string,
  shouldEnd?: (session: Session) => boolean,
): void {
  if (shouldEnd === undefined) endChallenges(records, uid);
  for (const { id } of sessionIds(records, uid)) {
    const session = shouldEnd === undefined ? undefined : findSession(records, id);
    if (session === undefined || shouldEnd?.(session) === true) endSession(records, uid, id);
  }
}

function endChallenges(records: RecordTransaction, uid: string): void {
  removeAllPending(records, uid);
  clearUnfinished(records, uid);
}

interface SessionId {
  readonly id: string;
  readonly createdAtMs: number;
}

function sessionIds(records: RecordView, uid: string): readonly SessionId[] {
  // Reads the list as one record: a single lookup, whereas a list is parsed child by child.
  const times = records.find(['sessionsOf', uid]);
  return Object.entries(isJsonObject(times) ? times : {}).map(([id, createdAtMs]) => ({
    id,
    createdAtMs: typeof createdAtMs === 'number' ? createdAtMs : 0,
  }));
}

const ID_BYTES = 16;
const SEED_BYTES = 32;

/** Starts a session for an account that has authenticated, just now unless `authTimeSec` gives another second. */
export function startSession(
  records: RecordTransaction,
  call: AuthRequest,
  { randomBytes }: AuthServices,
  uid: string,
  { provider, secondFactor, sessionClaims, signInAttributes }: SignInClaims,
  nowMs: number,
  authTimeSec: number = Math.floor(nowMs / 1000),
): Session {
  const random = Buffer.from(randomBytes(ID_BYTES + SEED_BYTES));
  const session: Session = {
    provider,
    secondFactor,
    sessionClaims,
    signInAttributes,
    id: random.toString('base64url', 0, ID_BYTES),
    uid,
    createdAtMs: nowMs,
    authTimeSec,
    lastUsedAtMs: nowMs,
    device: deviceOf(call.client),
    seed: random.toString('base64url', ID_BYTES),
    generation: 0,
    // Clients other than browsers keep the first refresh token permanently.
    isRotating: call.client.isWeb,
    rotatedAtMs: nowMs,
    previousRotatedAtMs: nowMs,
  };
  addSession(records, session);
  return session;
}
