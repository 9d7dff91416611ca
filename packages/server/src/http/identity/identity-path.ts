import { LEGACY_PATHS } from './identity-routes.ts';

/** Hosts of the official services that clients put before the path when they are told of an emulator. */
const PREFIX = /^\/(?:identitytoolkit|securetoken|www|oauth2|iamcredentials)\.googleapis\.com(?=\/)/;
const LEGACY = /^\/identitytoolkit\/v3\/relyingparty\/(\w+)$/;
/** Where keys are published, and access tokens are given out. */
const PROJECTLESS =
  /^\/(?:token$|robot\/v1\/metadata\/x509\/|service_accounts\/v1\/jwk\/|\.well-known\/jwks\.json$|[^/]+\/\.well-known\/openid-configuration$)/;
const KNOWN = /^\/(?:v1|v2|admin\/v2|emulator\/v1|identitytoolkit\/v3)\/(?!.*\.json$)/;

/**
 * The path of a request to the interface of identity, without its query and what clients may put before it; `undefined` for
 * others.
 */
export function identityPathOf(url: string): string | undefined {
  const pathname = url.split('?', 1).join('');
  const path = pathname.replace(PREFIX, '');
  const legacy = LEGACY.exec(path)?.[1];
  if (legacy !== undefined && Object.hasOwn(LEGACY_PATHS, legacy)) return LEGACY_PATHS[legacy];
  if (path !== pathname || KNOWN.test(path) || PROJECTLESS.test(path))
    return path.replace(/^\/admin\/v2\//, '/v2/');
  return undefined;
}
