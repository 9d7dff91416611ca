import { claimsOfDomain } from '@hearth/core/api/sign-up-rules.ts';
import type { Account } from '../accounts/account.ts';
import type { JsonObject } from '../fields.ts';
import type { Project } from '../projects/project.ts';
import type { AuthRequest } from '../request.ts';
import { type AuthServices, recordAudit } from '../services.ts';
import { ID_TOKEN_LIFETIME_SEC, idTokenClaims, tokenIssuer, type VerifiedToken } from '../tokens/id-token.ts';
import { type Claims, TokenProblem } from '../tokens/jwt.ts';
import { readCurrentUser } from './current-user.ts';
import type { Session } from './session.ts';

/** The tokens with which a client authenticates from now on. */
export interface IssuedTokens {
  readonly idToken: string;
  readonly refreshToken: string;
  /** Lifetime of the ID token in seconds, as text. */
  readonly expiresIn: string;
}

/** Returns the current tokens of a session. */
export async function tokensOfSession(
  services: AuthServices,
  project: Project,
  account: Account,
  session: Session,
): Promise<IssuedTokens> {
  return {
    idToken: await idTokenOfSession(services, project, account, session),
    refreshToken: services.refreshTokens.encode(project, session),
    expiresIn: String(ID_TOKEN_LIFETIME_SEC),
  };
}

/** Returns an ID token of a session, issued now. */
export function idTokenOfSession(
  { clock, idTokens }: Pick<AuthServices, 'clock' | 'idTokens'>,
  project: Project,
  account: Account,
  session: Session,
): Promise<string> {
  const nowSec = Math.floor(clock.nowMs() / 1000);
  return idTokens.sign(claimsOf(project, account, session, nowSec));
}

function claimsOf(project: Project, account: Account, session: Session, nowSec: number): JsonObject {
  return idTokenClaims(
    {
      projectId: project.id,
      tenantId: project.scope.tenantId ?? undefined,
      uid: account.uid,
      email: account.email ?? undefined,
      isEmailVerified: account.isEmailVerified,
      phoneNumber: account.phoneNumber ?? undefined,
      displayName: account.displayName ?? undefined,
      photoUrl: account.photoUrl ?? undefined,
      identities: account.identities.length === 0 ? {} : identitiesOf(account),
      signInProvider: session.provider,
      secondFactor: session.secondFactor ?? undefined,
      customClaims:
        account.customAttributes === null ? {} : (JSON.parse(account.customAttributes) as JsonObject),
      sessionClaims: { ...domainClaimsOf(project, account), ...session.sessionClaims },
      signInAttributes: session.signInAttributes ?? undefined,
      // A session that remains after a revocation must not appear older than the revocation. Otherwise verifiers that
      // compare the two times would reject its tokens.
      authTimeSec: Math.max(session.authTimeSec, account.validSinceSec),
    },
    // A token issued before the last revocation would not be valid.
    Math.max(nowSec, account.validSinceSec),
  );
}

/**
 * Returns the claims that the project gives to the domain of a verified address. Sessions do not store them: they would
 * keep them after a change of the address.
 */
function domainClaimsOf({ settings }: Project, { email, isEmailVerified }: Account): JsonObject {
  return email === null || !isEmailVerified ? {} : (claimsOfDomain(settings.signUpRules, email) ?? {});
}

function identitiesOf({ identities }: Account): Readonly<Record<string, readonly string[]>> {
  const byProvider = Map.groupBy(identities, ({ providerId }) => providerId);
  return Object.fromEntries(
    byProvider.entries().map(([providerId, group]) => [providerId, group.map(({ rawId }) => rawId)]),
  );
}

const MIN_DURATION_SEC = 300;
const MAX_DURATION_SEC = 1_209_600;

/** Parses the lifetime of a session cookie, in seconds; 14 days if absent. Throws `INVALID_DURATION`. */
export function parseCookieDuration(json: unknown): number {
  if (json === undefined || json === null || json === '') return MAX_DURATION_SEC;
  const isWhole = typeof json === 'number' || (typeof json === 'string' && /^\d{1,10}$/.test(json));
  const durationSec = isWhole ? Number(json) : Number.NaN;
  if (!Number.isInteger(durationSec) || durationSec < MIN_DURATION_SEC || durationSec > MAX_DURATION_SEC)
    throw new TokenProblem('INVALID_DURATION');
  return durationSec;
}

/**
 * Returns the claims of a session cookie that is issued now for an ID token: the same claims with another
 * issuer and a longer lifetime.
 */
export function sessionCookieClaims(
  { claims }: VerifiedToken,
  projectId: string,
  durationSec: number,
  nowSec: number,
): Claims {
  return { ...claims, iss: tokenIssuer('sessionCookie', projectId), iat: nowSec, exp: nowSec + durationSec };
}

/**
 * `createSessionCookie`: returns a session cookie with the claims of an ID token and a longer lifetime. The app
 * decides how recent the sign-in must be.
 */
export async function createSessionCookie(call: AuthRequest, services: AuthServices): Promise<JsonObject> {
  const { token } = await readCurrentUser(call, services);
  const durationSec = parseCookieDuration(call.fields.find('validDuration'));
  const nowSec = Math.floor(services.clock.nowMs() / 1_000);
  const claims = sessionCookieClaims(token, call.project.id, durationSec, nowSec);
  const sessionCookie = await services.sessionCookies.sign(claims);
  recordAudit(services, call, 'session_cookie_created', token.uid);
  return { sessionCookie };
}
