import type { BookTurn, BookView } from '../../records/store.ts';
import { isJsonObject, type JsonObject } from '../fields.ts';
import { forgetUnfinished } from '../mfa/attempts.ts';
import { removeAllPending } from '../mfa/pending-sign-in.ts';
import type { IdentityCall } from '../request.ts';
import type { IdentityServices } from '../services.ts';
import { mustBeRecord, onceForEach } from '../stored-record.ts';
import { decodeSession, deviceOf, encodeSession, type Session, type SignInFacts } from './session.ts';

/** Maximum number of sessions of one account. When another one starts, the oldest ends. */
const MAX_SESSIONS = 200;

const sessionOf = onceForEach((record: JsonObject, id: string) => decodeSession(id, record));

export function findSession(book: BookView, id: string): Session | undefined {
  const json = book.find(['sessions', id]);
  return json === undefined ? undefined : sessionOf(mustBeRecord(json), id);
}

/** Returns the sessions of an account, in no particular order. */
export function listSessions(book: BookView, uid: string): readonly Session[] {
  return sessionIds(book, uid).flatMap(({ id }) => findSession(book, id) ?? []);
}

export function countSessions(book: BookView, uid: string): number {
  return book.listKeys(['sessionsOf', uid], { limit: MAX_SESSIONS + 1 }).length;
}

/** Adds a new session. Ends the oldest ones if there are too many. */
export function addSession(book: BookTurn, session: Session): void {
  const others = sessionIds(book, session.uid);
  const surplus = others.length - MAX_SESSIONS + 1;
  if (surplus > 0)
    for (const { id } of others.toSorted((a, b) => a.createdAtMs - b.createdAtMs).slice(0, surplus))
      endSession(book, session.uid, id);
  book.write(['sessionsOf', session.uid, session.id], session.createdAtMs);
  saveSession(book, session);
}

export function saveSession(book: BookTurn, session: Session): void {
  book.write(['sessions', session.id], encodeSession(session));
}

export function endSession(book: BookTurn, uid: string, id: string): void {
  book.write(['sessions', id], null);
  book.write(['sessionsOf', uid, id], null);
}

/**
 * Ends all sessions and pending sign-ins of an account; or, if there is a condition, only the sessions that
 * meet it.
 */
export function endSessions(book: BookTurn, uid: string, isMeant?: (session: Session) => boolean): void {
  if (isMeant === undefined) endChallenges(book, uid);
  for (const { id } of sessionIds(book, uid)) {
    const session = isMeant === undefined ? undefined : findSession(book, id);
    if (session === undefined || isMeant?.(session) === true) endSession(book, uid, id);
  }
}

function endChallenges(book: BookTurn, uid: string): void {
  removeAllPending(book, uid);
  forgetUnfinished(book, uid);
}

interface SessionId {
  readonly id: string;
  readonly createdAtMs: number;
}

function sessionIds(book: BookView, uid: string): readonly SessionId[] {
  // Reads the list as one record: a single lookup, whereas a list is parsed child by child.
  const times = book.find(['sessionsOf', uid]);
  return Object.entries(isJsonObject(times) ? times : {}).map(([id, createdAtMs]) => ({
    id,
    createdAtMs: typeof createdAtMs === 'number' ? createdAtMs : 0,
  }));
}

const ID_BYTES = 16;
const SEED_BYTES = 32;

/** Starts a session for an account that has just authenticated. */
export function startSession(
  book: BookTurn,
  call: IdentityCall,
  { randomBytes }: IdentityServices,
  uid: string,
  facts: SignInFacts,
  nowMs: number,
): Session {
  const random = Buffer.from(randomBytes(ID_BYTES + SEED_BYTES));
  const session: Session = {
    ...facts,
    id: random.toString('base64url', 0, ID_BYTES),
    uid,
    createdAtMs: nowMs,
    authTimeSec: Math.floor(nowMs / 1000),
    lastUsedAtMs: nowMs,
    device: deviceOf(call.client),
    seed: random.toString('base64url', ID_BYTES),
    generation: 0,
    // Clients other than browsers keep the first refresh token permanently.
    isRotating: call.client.isWeb,
    rotatedAtMs: nowMs,
    previousRotatedAtMs: nowMs,
  };
  addSession(book, session);
  return session;
}
