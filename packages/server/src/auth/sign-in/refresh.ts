import type { RecordTransaction, RecordView } from '../../records/store.ts';
import type { Account } from '../accounts/account.ts';
import { accountRecords, findAccount, saveAccount } from '../accounts/account-store.ts';
import { AuthApiError } from '../errors.ts';
import type { JsonObject } from '../fields.ts';
import type { ProjectSettings } from '../projects/project.ts';
import type { AuthRequest } from '../request.ts';
import { type AuthServices, recordAudit } from '../services.ts';
import { ID_TOKEN_LIFETIME_SEC } from '../tokens/id-token.ts';
import type { PresentedToken } from './refresh-tokens.ts';
import { type Device, deviceOf, type Session } from './session.ts';
import { endSession, findSession, saveSession } from './session-store.ts';
import { idTokenOfSession } from './session-tokens.ts';

/**
 * How long a token remains valid after its successor was issued, because the client may not have received the
 * successor, or may use the token in a second tab.
 */
const GRACE_MS = 120_000;
/** Like `GRACE_MS`, but for a token whose successor was used too. */
const SHORT_GRACE_MS = 10_000;
/** Beyond these limits, even the same client may not reuse a token. */
const MAX_FORGIVEN_GENERATIONS = 50;
const MAX_FORGIVEN_MS = 30 * 86_400_000;

/** Returns the session after one of its genuine tokens was used; `undefined` if the use ends the session. */
export function useRefreshToken(
  session: Session,
  { generation }: Pick<PresentedToken, 'generation'>,
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

/** Returns whether a session has exceeded its project's limits on lifetime or inactivity. */
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

/** The last use of a session is stored with a precision of one minute, so that most refreshes only read. */
const RECORDED_EVERY_MS = 60_000;

type Refresh =
  /** `isRecorded`: whether the stored records are up to date, so that nothing has to be written. */
  | {
      readonly kind: 'refreshed';
      readonly account: Account;
      readonly session: Session;
      readonly isRecorded: boolean;
    }
  /**
   * The session ends because it has expired (`over`), or because an outdated refresh token was used, which may
   * be stolen (`reused`).
   */
  | { readonly kind: 'over' | 'reused'; readonly session: Session }
  /**
   * The token belongs to no session: it was never issued, is of another project or tenant, or its session has ended.
   */
  | { readonly kind: 'unknown'; readonly error: AuthApiError };

/** `token`: exchanges a refresh token for an ID token. */
export async function refresh(call: AuthRequest, services: AuthServices): Promise<JsonObject> {
  const { project } = call;
  services.throttle.requireRequestAllowed(call);
  const token = parseTokenOrThrow(call, services, requireTokenText(call));
  const { account, session } = await useToken(call, services, token);
  const idToken = await idTokenOfSession(services, project, account, session);
  const isCurrent = session.generation === token.generation;
  return {
    access_token: idToken,
    expires_in: String(ID_TOKEN_LIFETIME_SEC),
    token_type: 'Bearer',
    refresh_token: isCurrent ? token.text : services.refreshTokens.encode(project, session),
    id_token: idToken,
    user_id: account.uid,
    project_id: project.number,
  };
}

/** The account and the session of a refresh token. */
type Continued = Pick<Extract<Refresh, { readonly kind: 'refreshed' }>, 'account' | 'session'>;

/** Uses a refresh token like `refresh`, and returns its account and its session. */
export function continueSession(call: AuthRequest, services: AuthServices, text: string): Promise<Continued> {
  return useToken(call, services, parseTokenOrThrow(call, services, text));
}

async function useToken(
  call: AuthRequest,
  services: AuthServices,
  token: PresentedToken,
): Promise<Continued> {
  const { project } = call;
  const name = accountRecords(project.scope);
  const early = services.recordStore.read((view) =>
    decideRefresh(view.records(name), token, call, services, services.clock.nowMs()),
  );
  const outcome =
    early.kind === 'refreshed' && early.isRecorded
      ? early
      : await services.recordStore.change((transaction) => {
          const records = transaction.records(name);
          const decided = decideRefresh(records, token, call, services, transaction.nowMs);
          recordRefresh(records, decided, transaction.nowMs);
          return decided;
        });
  if (outcome.kind === 'unknown') {
    const { code: result } = outcome.error;
    recordAudit(services, call, 'session_ended', token.uid ?? null, { result, detail: 'unknown session' });
    throw outcome.error;
  }
  if (outcome.kind !== 'refreshed') {
    const event = outcome.kind === 'over' ? 'session_ended' : 'refresh_reuse';
    recordAudit(services, call, event, outcome.session.uid, { result: 'TOKEN_EXPIRED' });
    throw new AuthApiError('TOKEN_EXPIRED');
  }
  return outcome;
}

function requireTokenText({ fields }: AuthRequest): string {
  const grantType = fields.require('grantType', 'MISSING_GRANT_TYPE');
  if (grantType !== 'refresh_token') throw new AuthApiError('INVALID_GRANT_TYPE');
  return fields.require('refreshToken', 'MISSING_REFRESH_TOKEN');
}

function parseTokenOrThrow(
  { project }: AuthRequest,
  { refreshTokens }: AuthServices,
  text: string,
): PresentedToken {
  const token = refreshTokens.parse(text);
  if (token === undefined) throw new AuthApiError('INVALID_REFRESH_TOKEN');
  if (token.projectNumber !== project.number) throw new AuthApiError('PROJECT_NUMBER_MISMATCH');
  return token;
}

/**
 * Returns the outcome of a refresh without writing anything. Throws if the account is disabled or missing.
 */
function decideRefresh(
  records: RecordView,
  token: PresentedToken,
  { client, project }: AuthRequest,
  { refreshTokens }: AuthServices,
  nowMs: number,
): Refresh {
  const session = findSession(records, token.sessionId);
  if (session === undefined || !refreshTokens.isGenuine(token, project, session))
    return { kind: 'unknown', error: endedSession(records, token) };
  const account = findAccount(records, session.uid);
  if (account === undefined) throw new AuthApiError('USER_NOT_FOUND');
  if (account.isDisabled) throw new AuthApiError('USER_DISABLED');
  const limits = project.settings.session;
  const next = useRefreshToken(session, token, deviceOf(client), limits, nowMs);
  if (next === undefined) return { kind: isOver(session, limits, nowMs) ? 'over' : 'reused', session };
  const isRecorded =
    next.generation === session.generation && nowMs - session.lastUsedAtMs < RECORDED_EVERY_MS;
  return { kind: 'refreshed', account, session: next, isRecorded };
}

/** Returns the error for a token without a session: it states whether the account is disabled or was deleted. */
function endedSession(records: RecordView, { uid }: PresentedToken): AuthApiError {
  if (uid === undefined) return new AuthApiError('TOKEN_EXPIRED');
  const account = findAccount(records, uid);
  if (account === undefined) return new AuthApiError('USER_NOT_FOUND');
  return new AuthApiError(account.isDisabled ? 'USER_DISABLED' : 'TOKEN_EXPIRED');
}

function recordRefresh(records: RecordTransaction, outcome: Refresh, nowMs: number): void {
  if (outcome.kind === 'unknown') return;
  const { session } = outcome;
  if (outcome.kind !== 'refreshed') {
    endSession(records, session.uid, session.id);
  } else if (!outcome.isRecorded) {
    saveAccount(records, outcome.account, { ...outcome.account, lastRefreshAtMs: nowMs });
    saveSession(records, session);
  }
}
