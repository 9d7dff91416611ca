import { accountsBook } from '../accounts/account-store.ts';
import { mustFindAccount } from '../accounts/update-by-admin.ts';
import { IdentityError } from '../errors.ts';
import type { JsonObject } from '../fields.ts';
import type { IdentityCall } from '../request.ts';
import { mustSpareMembers } from '../roles/member-store.ts';
import { type IdentityServices, tellAudit } from '../services.ts';
import { mustBeRecent, mustFindHolder, mustVerifyToken } from './current-user.ts';
import type { Session } from './session.ts';
import { endSession, findSession, listSessions } from './session-store.ts';

/** Returns the JSON of sessions, the most recently used first. */
function sessionsJson(sessions: readonly Session[]): readonly JsonObject[] {
  return sessions.toSorted((a, b) => b.lastUsedAtMs - a.lastUsedAtMs).map(sessionJson);
}

function sessionJson(session: Session): JsonObject {
  return {
    sessionId: session.id,
    createdAt: String(session.createdAtMs),
    lastUsedAt: String(session.lastUsedAtMs),
    signInProvider: session.provider,
    secondFactor: session.secondFactor?.kind,
    userAgent: session.device.userAgent,
    network: session.device.network,
  };
}

/**
 * `GET /v1/projects/{project}/accounts/{uid}/sessions`: the sessions of an account, the most recently used
 * first.
 */
export async function readSessions(call: IdentityCall, { books }: IdentityServices): Promise<JsonObject> {
  const sessions = books.read((view) => {
    const book = view.book(accountsBook(call.project.id));
    return listSessions(book, mustFindAccount(book, call.segments['uid'] ?? '').uid);
  });
  return { sessions: sessionsJson(sessions) };
}

/**
 * `DELETE /v1/projects/{project}/accounts/{uid}/sessions/{session}`: ends a session, so that it issues no more
 * tokens.
 */
export async function revokeSession(call: IdentityCall, services: IdentityServices): Promise<JsonObject> {
  const { uid = '', session: id = '' } = call.segments;
  await services.books.change((turn) => {
    const book = turn.book(accountsBook(call.project.id));
    const session = findSession(book, id);
    if (session?.uid !== uid) throw new IdentityError('NOT_FOUND', 'The account has no such session.');
    mustSpareMembers(turn, call, uid);
    endSession(book, uid, id);
  });
  tellAudit(services, call, 'session_revoked', uid);
  return {};
}

/**
 * `sessions:list`, which exists only in Hearth: returns the sessions of the user to whom an ID token belongs,
 * the most recently used first.
 */
export async function listOwnSessions(call: IdentityCall, services: IdentityServices): Promise<JsonObject> {
  services.throttle.mustAllowRequest(call);
  const token = await mustVerifyToken(call, services);
  const sessions = services.books.read((view) => {
    const book = view.book(accountsBook(call.project.id));
    return listSessions(book, mustFindHolder(book, token).uid);
  });
  return { sessions: sessionsJson(sessions) };
}

/**
 * `sessions:end`, which exists only in Hearth: ends the session `sessionId` of the user to whom an ID token
 * belongs. Requires a recent sign-in: otherwise the thief of a token could sign out its owner.
 */
export async function endOwnSession(call: IdentityCall, services: IdentityServices): Promise<JsonObject> {
  const id = call.fields.filled('sessionId');
  if (id === undefined) throw new IdentityError('INVALID_ARGUMENT', 'Name the session: "sessionId".');
  const token = await mustVerifyToken(call, services);
  await services.books.change((turn) => {
    const book = turn.book(accountsBook(call.project.id));
    const account = mustFindHolder(book, token);
    mustBeRecent(account, token, turn.nowMs);
    if (findSession(book, id)?.uid !== account.uid)
      throw new IdentityError('NOT_FOUND', 'The account has no such session.');
    endSession(book, account.uid, id);
  });
  tellAudit(services, call, 'session_revoked', token.uid);
  return {};
}
