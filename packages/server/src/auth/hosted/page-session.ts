import type { Account } from '../accounts/account.ts';
import { accountRecords } from '../accounts/account-store.ts';
import { AuthApiError } from '../errors.ts';
import type { JsonObject } from '../fields.ts';
import { type AuthRequest, PageAnswer } from '../request.ts';
import { type AuthServices, recordAudit } from '../services.ts';
import { recentMsOf } from '../sign-in/current-user.ts';
import { continueSession } from '../sign-in/refresh.ts';
import type { Session } from '../sign-in/session.ts';
import { endSession } from '../sign-in/session-store.ts';
import { idTokenOfSession } from '../sign-in/session-tokens.ts';
import { PAGE_IDLE_SEC } from './page-cookie.ts';

/** A user who is signed in on the hosted pages. */
export interface PageUser {
  readonly account: Account;
  readonly session: Session;
}

const PAGE_IDLE_MS = PAGE_IDLE_SEC * 1_000;

/** Errors that mean that a refresh token no longer gives a session. */
const ENDED: ReadonlySet<string> = new Set([
  'INVALID_REFRESH_TOKEN',
  'PROJECT_NUMBER_MISMATCH',
  'TOKEN_EXPIRED',
  'USER_DISABLED',
  'USER_NOT_FOUND',
]);

/** Returns the user in the session of a refresh token; `undefined` if the session has ended. */
export async function findPageUser(
  call: AuthRequest,
  services: AuthServices,
  refreshToken: string | undefined,
): Promise<PageUser | undefined> {
  if (refreshToken === undefined) return undefined;
  try {
    return await continueSession(withPageLimits(call), services, refreshToken);
  } catch (error) {
    if (error instanceof AuthApiError && ENDED.has(error.code)) return undefined;
    throw error;
  }
}

/** Ends sessions of the hosted pages that were not used for a month, if the project does not end them earlier. */
function withPageLimits(call: AuthRequest): AuthRequest {
  const { project } = call;
  const { session } = project.settings;
  const idleLimitMs = Math.min(session.idleLimitMs ?? PAGE_IDLE_MS, PAGE_IDLE_MS);
  return {
    ...call,
    project: { ...project, settings: { ...project.settings, session: { ...session, idleLimitMs } } },
  };
}

/**
 * `POST /__/auth/session:open`: keeps a sign-in of the hosted pages in their cookie. Ends the session that the cookie had
 * before. Throws `INVALID_REFRESH_TOKEN` if the sign-in has ended, or if its tokens rotate: then it belongs to an app.
 */
export async function openPageSession(call: AuthRequest, services: AuthServices): Promise<PageAnswer> {
  services.throttle.requireRequestAllowed(call);
  const token = call.fields.require('refreshToken', 'MISSING_REFRESH_TOKEN');
  const user = await findPageUser(call, services, token);
  if (user === undefined || user.session.isRotating) throw new AuthApiError('INVALID_REFRESH_TOKEN');
  const before = await findPageUser(call, services, call.pageCookie);
  if (before !== undefined && before.session.id !== user.session.id) await end(call, services, before);
  return new PageAnswer(await userJson(call, services, user), token);
}

/** `POST /__/auth/session:read`: returns the user of the cookie with a fresh ID token; `{}` if there is none. */
export async function readPageSession(call: AuthRequest, services: AuthServices): Promise<PageAnswer> {
  services.throttle.requireRequestAllowed(call);
  const { pageCookie } = call;
  const user = await findPageUser(call, services, pageCookie);
  if (user === undefined || pageCookie === undefined) return new PageAnswer({}, null);
  return new PageAnswer(await userJson(call, services, user), pageCookie);
}

/** `POST /__/auth/session:close`: ends the session of the cookie, and removes the cookie. */
export async function closePageSession(call: AuthRequest, services: AuthServices): Promise<PageAnswer> {
  services.throttle.requireRequestAllowed(call);
  const user = await findPageUser(call, services, call.pageCookie);
  if (user !== undefined) await end(call, services, user);
  return new PageAnswer({}, null);
}

async function end(call: AuthRequest, services: AuthServices, { account, session }: PageUser): Promise<void> {
  await services.recordStore.change((transaction) =>
    endSession(transaction.records(accountRecords(call.project.scope)), account.uid, session.id),
  );
  recordAudit(services, call, 'session_ended', account.uid, { detail: 'hosted page' });
}

async function userJson(
  { project }: AuthRequest,
  services: AuthServices,
  { account, session }: PageUser,
): Promise<JsonObject> {
  return {
    idToken: await idTokenOfSession(services, project, account, session),
    recentMs: recentMsOf(Math.max(session.authTimeSec, account.validSinceSec), services.clock.nowMs()),
    sessionId: session.id,
    localId: account.uid,
    email: account.email ?? undefined,
    phoneNumber: account.phoneNumber ?? undefined,
    displayName: account.displayName ?? undefined,
  };
}
