import type { BookTurn, BookView } from '../books/books.ts';
import { isJsonObject, type JsonObject } from './fields.ts';
import { onceForEach } from './once-for-each.ts';
import { forgetUnfinished } from './second-factor/factor-tries.ts';
import { removeAllPending } from './second-factor/pending-book.ts';
import type { Session } from './session.ts';
import { decodeSession, encodeSession } from './session-record.ts';
import { mustBeRecord } from './stored-record.ts';

/** Most sessions of one account; with one more, the oldest ends. */
const MAX_SESSIONS = 200;

const sessionOf = onceForEach((record: JsonObject, id: string) => decodeSession(id, record));

export function findSession(book: BookView, id: string): Session | undefined {
  const json = book.find(['sessions', id]);
  return json === undefined ? undefined : sessionOf(mustBeRecord(json), id);
}

/** The sessions of an account, in no order that means anything. */
export function listSessions(book: BookView, uid: string): readonly Session[] {
  return sessionIds(book, uid).flatMap(({ id }) => findSession(book, id) ?? []);
}

export function countSessions(book: BookView, uid: string): number {
  return book.listKeys(['sessionsOf', uid], { limit: MAX_SESSIONS + 1 }).length;
}

/** Keeps a session that has just begun. */
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

/** Ends all sessions of an account, and those that lack only the second proof; or the sessions that a condition holds for. */
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
  // As one record: one look, where a list is parsed child by child.
  const times = book.find(['sessionsOf', uid]);
  return Object.entries(isJsonObject(times) ? times : {}).map(([id, createdAtMs]) => ({
    id,
    createdAtMs: typeof createdAtMs === 'number' ? createdAtMs : 0,
  }));
}
