import type { Account } from '../account.ts';
import { accountsBook, findAccount, saveAccount } from '../account-book.ts';
import { deviceOf } from '../device.ts';
import type { JsonObject } from '../fields.ts';
import type { IdentityCall } from '../identity-call.ts';
import { IdentityError } from '../identity-error.ts';
import type { IdentityServices } from '../identity-services.ts';
import type { ProjectSettings } from '../project-settings.ts';
import type { PresentedToken } from '../refresh-tokens.ts';
import type { Device, Session } from '../session.ts';
import { endSession, findSession, saveSession } from '../session-book.ts';
import { tellAudit } from '../tell-audit.ts';
import { tokensOfSession } from '../tokens-of-session.ts';

/** How long a token goes on to count after the next was handed out, so that a lost answer or a second tab does no harm. */
const GRACE_MS = 120_000;
/** The same once the next was used. */
const SHORT_GRACE_MS = 10_000;
/** Beyond these, even the same client is not forgiven. */
const MAX_FORGIVEN_GENERATIONS = 50;
const MAX_FORGIVEN_MS = 30 * 86_400_000;

type Refresh =
  | { readonly kind: 'refreshed'; readonly account: Account; readonly session: Session }
  /** Written down, unlike what is thrown. */
  | { readonly kind: 'revoked' };

/** `token`: a refresh token for an ID token. */
export async function refresh(call: IdentityCall, services: IdentityServices): Promise<JsonObject> {
  const { fields, project } = call;
  const grantType = fields.filled('grantType');
  if (grantType === undefined) throw new IdentityError('MISSING_GRANT_TYPE');
  if (grantType !== 'refresh_token') throw new IdentityError('INVALID_GRANT_TYPE');
  const text = fields.filled('refreshToken');
  if (text === undefined) throw new IdentityError('MISSING_REFRESH_TOKEN');
  const token = services.refreshTokens.parse(text);
  if (token === undefined) throw new IdentityError('INVALID_REFRESH_TOKEN');
  if (token.projectNumber !== project.number) throw new IdentityError('PROJECT_NUMBER_MISMATCH');
  const outcome = await services.books.change((turn): Refresh => {
    const book = turn.book(accountsBook(project.id));
    const session = findSession(book, token.sessionId);
    if (session === undefined || !services.refreshTokens.isGenuine(token, session))
      throw new IdentityError('TOKEN_EXPIRED');
    const account = findAccount(book, session.uid);
    if (account === undefined) throw new IdentityError('USER_NOT_FOUND');
    if (account.isDisabled) throw new IdentityError('USER_DISABLED');
    const next = useToken(session, token, deviceOf(call.client), project.settings.session, turn.nowMs);
    if (next === undefined) {
      endSession(book, session.uid, session.id);
      return { kind: 'revoked' };
    }
    const refreshed = { ...account, lastRefreshAtMs: turn.nowMs };
    saveAccount(book, account, refreshed);
    saveSession(book, next);
    return { kind: 'refreshed', account: refreshed, session: next };
  });
  if (outcome.kind === 'revoked') {
    tellAudit(services, call, 'refresh_reuse', null, { result: 'TOKEN_EXPIRED' });
    throw new IdentityError('TOKEN_EXPIRED');
  }
  const { account, session } = outcome;
  const { idToken, refreshToken, expiresIn } = await tokensOfSession(services, project, account, session);
  return {
    access_token: idToken,
    expires_in: expiresIn,
    token_type: 'Bearer',
    refresh_token: refreshToken,
    id_token: idToken,
    user_id: account.uid,
    project_id: project.number,
  };
}

/** The session after a genuine token of it was used; `undefined` when that ends it. */
export function useToken(
  session: Session,
  { generation }: PresentedToken,
  device: Device,
  limits: ProjectSettings['session'],
  nowMs: number,
): Session | undefined {
  if (isOver(session, limits, nowMs)) return undefined;
  const used = { ...session, lastUsedAtMs: nowMs };
  if (!session.isRotating) return used;
  const age = session.generation - generation;
  if (age === 0)
    return {
      ...used,
      generation: generation + 1,
      rotatedAtMs: nowMs,
      previousRotatedAtMs: session.rotatedAtMs,
    };
  if (age < 0) return undefined;
  if (age === 1 && nowMs - session.rotatedAtMs <= GRACE_MS) return used;
  if (age === 2 && nowMs - session.previousRotatedAtMs <= SHORT_GRACE_MS) return used;
  const isForgiven =
    limits.isReuseLenient &&
    age <= MAX_FORGIVEN_GENERATIONS &&
    nowMs - session.rotatedAtMs <= MAX_FORGIVEN_MS &&
    device.userAgent === session.device.userAgent &&
    device.network === session.device.network;
  return isForgiven ? used : undefined;
}

function isOver(
  { createdAtMs, lastUsedAtMs }: Session,
  { idleLimitMs, absoluteLimitMs }: ProjectSettings['session'],
  nowMs: number,
): boolean {
  return (
    (idleLimitMs !== null && nowMs - lastUsedAtMs > idleLimitMs) ||
    (absoluteLimitMs !== null && nowMs - createdAtMs > absoluteLimitMs)
  );
}
