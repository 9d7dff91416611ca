import { nextValidSinceOf } from '../accounts/account.ts';
import { accountRecords, saveAccount } from '../accounts/account-store.ts';
import { requireAccount } from '../accounts/update-by-admin.ts';
import { AuthApiError } from '../errors.ts';
import type { JsonObject } from '../fields.ts';
import type { AuthRequest } from '../request.ts';
import { requireNotMember } from '../roles/member-store.ts';
import { type AuthServices, recordAudit } from '../services.ts';
import { requireCurrentUser, requireRecentSignIn, requireVerifiedToken } from './current-user.ts';
import type { Session } from './session.ts';
import { endSession, endSessions, findSession, listSessions } from './session-store.ts';

/** Returns the JSON of sessions, the most recently used first. */
export function sessionsJson(sessions: readonly Session[]): readonly JsonObject[] {
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
 * `GET /v1/projects/{project}/accounts/{uid}/sessions`: returns the sessions of an account, the most recently used
 * first.
 */
export async function readSessions(call: AuthRequest, { recordStore }: AuthServices): Promise<JsonObject> {
  const sessions = recordStore.read((view) => {
    const records = view.records(accountRecords(call.project.scope));
    return listSessions(records, requireAccount(records, call.segments['uid'] ?? '').uid);
  });
  return { sessions: sessionsJson(sessions) };
}

/**
 * `DELETE /v1/projects/{project}/accounts/{uid}/sessions/{session}`: ends a session, so that it issues no more
 * tokens.
 */
export async function revokeSession(call: AuthRequest, services: AuthServices): Promise<JsonObject> {
  const { uid = '', session: id = '' } = call.segments;
  await services.recordStore.change((transaction) => {
    const records = transaction.records(accountRecords(call.project.scope));
    const session = findSession(records, id);
    if (session?.uid !== uid) throw new AuthApiError('NOT_FOUND', 'The account has no such session.');
    requireNotMember(transaction, call, uid);
    endSession(records, uid, id);
  });
  recordAudit(services, call, 'session_revoked', uid);
  return {};
}

/**
 * `sessions:list`, which exists only in Hearth: returns the sessions of the user to whom an ID token belongs,
 * the most recently used first.
 */
export async function listOwnSessions(call: AuthRequest, services: AuthServices): Promise<JsonObject> {
  services.throttle.requireRequestAllowed(call);
  const token = await requireVerifiedToken(call, services);
  const sessions = services.recordStore.read((view) => {
    const records = view.records(accountRecords(call.project.scope));
    return listSessions(records, requireCurrentUser(records, token).uid);
  });
  return { sessions: sessionsJson(sessions) };
}

/**
 * `sessions:end`, which exists only in Hearth: ends the session `sessionId` of the user to whom an ID token
 * belongs. Requires a recent sign-in: otherwise the thief of a token could sign out its owner.
 */
export async function endOwnSession(call: AuthRequest, services: AuthServices): Promise<JsonObject> {
  const id = call.fields.filled('sessionId');
  if (id === undefined)
    throw new AuthApiError('INVALID_ARGUMENT', 'Missing "sessionId": name the session to end.');
  const token = await requireVerifiedToken(call, services);
  await services.recordStore.change((transaction) => {
    const records = transaction.records(accountRecords(call.project.scope));
    const account = requireCurrentUser(records, token);
    requireRecentSignIn(account, token, transaction.nowMs);
    if (findSession(records, id)?.uid !== account.uid)
      throw new AuthApiError('NOT_FOUND', 'The account has no such session.');
    endSession(records, account.uid, id);
  });
  recordAudit(services, call, 'session_revoked', token.uid);
  return {};
}

/**
 * `sessions:endAll`, which exists only in Hearth: ends all sessions of the user to whom an ID token belongs, and makes
 * all their tokens invalid, including those of the caller. Requires a recent sign-in.
 */
export async function endAllOwnSessions(call: AuthRequest, services: AuthServices): Promise<JsonObject> {
  const token = await requireVerifiedToken(call, services);
  services.throttle.requireProfileUpdateAllowed(call, token.uid);
  await services.recordStore.change((transaction) => {
    const { nowMs } = transaction;
    const records = transaction.records(accountRecords(call.project.scope));
    const account = requireCurrentUser(records, token);
    requireRecentSignIn(account, token, nowMs);
    const validSinceSec = nextValidSinceOf(account, token, nowMs);
    saveAccount(records, account, { ...account, validSinceSec });
    endSessions(records, account.uid);
  });
  recordAudit(services, call, 'session_revoked', token.uid, { detail: 'all' });
  return {};
}
