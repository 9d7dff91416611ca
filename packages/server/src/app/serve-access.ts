import { AUTH_API_ROUTES } from '../auth/api/routes.ts';
import { TOKEN_PATH } from '../auth/api/token-exchange.ts';
import { DatabaseOwners } from '../auth/projects/database-owners.ts';
import { Administrators } from '../auth/roles/administrators.ts';
import {
  AccountVerifier,
  anyCredentialVerifier,
  DatabaseAdminVerifier,
} from '../auth/roles/credential-verifiers.ts';
import { MemberVerifier } from '../auth/roles/member-verifier.ts';
import { createFirstOwner, issueOwnerLink } from '../auth/roles/owner-setup.ts';
import type { AuthServices } from '../auth/services.ts';
import { AccessTokens } from '../auth/tokens/access-tokens.ts';
import { exchangeAssertion } from '../auth/tokens/assertion.ts';
import { randomBytes } from '../platform/random.ts';
import type { Access, TokenFoundation } from './access.ts';
import type { ServeMode } from './mode.ts';

export type AccessOptions = Pick<ServeMode, 'localAdmin' | 'publicUrl' | 'newProjectSettings'>;

/** Opens access control for `hearth serve`. Issues a setup link for the first owner if there is no member yet. */
export async function openAccess(
  services: AuthServices,
  { recordStore, clock, secretKey, serviceAccounts }: TokenFoundation,
  { localAdmin, publicUrl, newProjectSettings }: AccessOptions,
): Promise<Access> {
  const findAccount = serviceAccounts.find;
  const accessTokens = new AccessTokens(secretKey, findAccount, clock.nowMs);
  const administrators = new Administrators(accessTokens, localAdmin, new MemberVerifier(services));
  const databaseOwners = new DatabaseOwners(recordStore);
  const bearer = new DatabaseAdminVerifier(administrators, databaseOwners);
  const users = new AccountVerifier(services, databaseOwners);
  const token = anyCredentialVerifier((text) => administrators.isToken(text), bearer, users);
  const exchange = {
    accessTokens,
    findAccount,
    tokenUrl: `${publicUrl}${TOKEN_PATH}`,
    clock,
    audit: services.audit,
  };
  const ownerToken = await issueOwnerLink(recordStore, randomBytes);
  return {
    verifiers: { token, bearer },
    admins: administrators,
    authRoutes: AUTH_API_ROUTES,
    exchange: (fields, client) => exchangeAssertion(exchange, fields, client),
    databaseOwners,
    setUpOwner: (fields, client) => createFirstOwner(services, newProjectSettings, fields, client),
    ownerLinkPath: ownerToken === undefined ? null : `/console/setup?token=${ownerToken}`,
  };
}
