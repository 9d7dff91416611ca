import { DEVELOPMENT_ROUTES, LEGACY_PATHS } from './identity-routes.ts';

/** Hosts of the official services that clients put before the path when they are told of an emulator. */
const PREFIX = /^\/(?:identitytoolkit|securetoken|www|oauth2|iamcredentials)\.googleapis\.com(?=\/)/;
const LEGACY = /^\/identitytoolkit\/v3\/relyingparty\/(\w+)$/;
/** Where keys are published, and access tokens are given out. */
const PROJECTLESS =
  /^\/(?:token$|robot\/v1\/metadata\/x509\/|service_accounts\/v1\/jwk\/|\.well-known\/jwks\.json$|[^/]+\/\.well-known\/openid-configuration$)/;
const KNOWN = /^\/(?:v1|v2|admin\/v2|emulator\/v1|identitytoolkit\/v3)\/(?!.*\.json$)/;

/** Of routes with a fixed address, which most requests are for. */
const FIXED: ReadonlySet<string> = new Set(
  DEVELOPMENT_ROUTES.map(({ path }) => path).filter((path) => !path.includes('{')),
);

/**
 * The path of a request to the interface of identity, without its query and what clients may put before it; `undefined` for
 * others.
 */
export function identityPathOf(url: string): string | undefined {
  const mark = url.indexOf('?');
  const pathname = mark === -1 ? url : url.slice(0, mark);
  if (FIXED.has(pathname)) return pathname;
  const path = pathname.replace(PREFIX, '');
  const legacy = LEGACY.exec(path)?.[1];
  if (legacy !== undefined && Object.hasOwn(LEGACY_PATHS, legacy)) return LEGACY_PATHS[legacy];
  if (path !== pathname || KNOWN.test(path) || PROJECTLESS.test(path))
    return path.replace(/^\/admin\/v2\//, '/v2/');
  return undefined;
}
