import { isIPv6 } from 'node:net';
import { AccountVerifier } from '../accounts/account-verifier.ts';
import { Administrators } from '../accounts/administrators.ts';
import { anyCredentialVerifier } from '../accounts/any-credential-verifier.ts';
import { DatabaseAdminVerifier } from '../accounts/database-admin-verifier.ts';
import { DatabaseOwners } from '../accounts/database-owners.ts';
import { exchangeAssertion } from '../accounts/exchange-assertion.ts';
import type { IdentityServices } from '../accounts/identity-services.ts';
import { LocalAdmin } from '../accounts/local-admin.ts';
import { createFirstOwner } from '../accounts/members/create-first-owner.ts';
import { MemberVerifier } from '../accounts/members/member-verifier.ts';
import { issueOwnerLink } from '../accounts/members/owner-link.ts';
import { NEW_SETTINGS } from '../accounts/project-settings.ts';
import { SERVING } from '../accounts/throttling/throttle-limits.ts';
import { LOCKED_RULES } from '../database/default-rules.ts';
import { IDENTITY_ROUTES } from '../http/identity/identity-routes.ts';
import { TOKEN_PATH } from '../http/identity/token-exchange.ts';
import { SETTINGS } from '../http/settings-routes.ts';
import { directTransport, proxiedTransport, type Transport } from '../http/transport.ts';
import { isPublicAddress } from '../mail/is-public-address.ts';
import type { Certificate } from '../ops/certificate.ts';
import { randomBytes } from '../ops/random.ts';
import type { ServeOptions } from '../ops/serve-options.ts';
import { AccessTokens } from '../tokens/access-tokens.ts';
import { openSignedTokens } from '../tokens/open-signed-tokens.ts';
import type { Access, Mode, TokenFoundation } from './mode.ts';
import { mustBeSafe } from './must-be-safe.ts';
import { sharedMailServer } from './shared-mail-server.ts';

/** The mode, and what whoever starts it needs to know. */
export interface ServeMode extends Mode {
  readonly publicUrl: string;
  readonly localAdmin: LocalAdmin;
}

/** The hosts that the official libraries ask, whose connections a client has led here. */
const IDENTITY_HOSTS: readonly string[] = [
  'identitytoolkit',
  'securetoken',
  'www',
  'oauth2',
  'iamcredentials',
].map((name) => `${name}.googleapis.com`);

/** For everybody on the network: tokens are signed, keys select projects, and rules are locked until some are uploaded. */
export function serveMode(options: ServeOptions, certificate: Certificate | null): ServeMode {
  mustBeSafe(options);
  const publicUrl = publicUrlOf(options, certificate);
  const localAdmin = new LocalAdmin(randomBytes);
  const { hostname } = new URL(publicUrl);
  const newProjectSettings = { ...NEW_SETTINGS, authorizedDomains: [hostname] };
  return {
    http: {
      defaultNamespace: null,
      settings: SETTINGS,
      coverageRoutes: [],
      // Programs on this machine name the server by its address.
      allowedHosts: [
        hostname,
        isIPv6(options.host) ? `[${options.host}]` : options.host,
        ...options.allowHost,
      ],
      identityHosts: IDENTITY_HOSTS,
      transport: transportOf(options, publicUrl, certificate !== null),
      // Apps of any site may be clients; what they may do is up to tokens and rules.
      barsForeignPages: false,
      certificate,
    },
    newDatabaseRules: LOCKED_RULES,
    isRecordingOnAtFirst: false,
    developmentProject: null,
    publicUrl,
    localAdmin,
    throttleLimits: SERVING,
    passwordMs: options.passwordMs,
    mailServer: sharedMailServer(options),
    mayReachMailServer: options.allowPrivateSmtp ? undefined : isPublicAddress,
    newProjectSettings,
    openEmulation: () => null,
    async openTokens(foundation) {
      const signed = await openSignedTokens(foundation);
      return {
        services: signed.services,
        openAccess: (services) =>
          openAccess(services, foundation, { localAdmin, publicUrl, newProjectSettings }),
        [Symbol.dispose]: () => signed[Symbol.dispose](),
      };
    },
  };
}

function publicUrlOf({ host, port, publicUrl }: ServeOptions, certificate: Certificate | null): string {
  const address = host.includes(':') ? `[${host}]` : host;
  return publicUrl ?? `${certificate === null ? 'http' : 'https'}://${address}:${port}`;
}

function transportOf(
  { host, trustProxy }: ServeOptions,
  publicUrl: string,
  hasCertificate: boolean,
): Transport {
  return trustProxy.length === 0
    ? directTransport(publicUrl, hasCertificate)
    : proxiedTransport(publicUrl, trustProxy, [host]);
}

type AccessOptions = Pick<ServeMode, 'localAdmin' | 'publicUrl' | 'newProjectSettings'>;

async function openAccess(
  services: IdentityServices,
  { books, clock, secretKey, serviceAccounts }: TokenFoundation,
  { localAdmin, publicUrl, newProjectSettings }: AccessOptions,
): Promise<Access> {
  const findAccount = serviceAccounts.find;
  const accessTokens = new AccessTokens(secretKey, findAccount, clock.nowMs);
  const administrators = new Administrators(accessTokens, localAdmin, new MemberVerifier(services));
  const databaseOwners = new DatabaseOwners(books);
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
  const ownerToken = await issueOwnerLink(books, randomBytes);
  return {
    verifiers: { token, bearer },
    admins: administrators,
    identityRoutes: IDENTITY_ROUTES,
    exchange: (fields, client) => exchangeAssertion(exchange, fields, client),
    databaseOwners,
    setUpOwner: (fields, client) => createFirstOwner(services, newProjectSettings, fields, client),
    ownerLinkPath: ownerToken === undefined ? null : `/console/setup?token=${ownerToken}`,
  };
}
