import { ID_TOKEN_LIFETIME_SEC, idTokenClaims } from '../tokens/id-token.ts';
import type { Account } from './account.ts';
import type { JsonObject } from './fields.ts';
import type { IdentityServices } from './identity-services.ts';
import type { Project } from './project.ts';
import type { Session } from './session.ts';

/** What a client is given to prove who it is from now on. */
export interface IssuedTokens {
  readonly idToken: string;
  readonly refreshToken: string;
  /** In s, as text. */
  readonly expiresIn: string;
}

/** The present tokens of a session. */
export async function tokensOfSession(
  services: IdentityServices,
  project: Project,
  account: Account,
  session: Session,
): Promise<IssuedTokens> {
  return {
    idToken: await idTokenOfSession(services, project, account, session),
    refreshToken: services.refreshTokens.encode(project.number, session),
    expiresIn: String(ID_TOKEN_LIFETIME_SEC),
  };
}

/** An ID token of a session, issued now. */
export function idTokenOfSession(
  { clock, idTokens }: Pick<IdentityServices, 'clock' | 'idTokens'>,
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
      tenantId: undefined,
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
      sessionClaims: session.sessionClaims ?? {},
      // A session that still lasts began no earlier: else verifiers that compare the two would refuse it.
      authTimeSec: Math.max(session.authTimeSec, account.validSinceSec),
    },
    // A token from before what ended the others would count no more.
    Math.max(nowSec, account.validSinceSec),
  );
}

function identitiesOf({ identities }: Account): Readonly<Record<string, readonly string[]>> {
  const byProvider = Map.groupBy(identities, ({ providerId }) => providerId);
  return Object.fromEntries(
    byProvider.entries().map(([providerId, group]) => [providerId, group.map(({ rawId }) => rawId)]),
  );
}
