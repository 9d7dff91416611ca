import { accountRecords } from '../accounts/account-store.ts';
import { batchDelete } from '../accounts/delete.ts';
import { batchGet } from '../accounts/export.ts';
import { batchCreate } from '../accounts/import.ts';
import { queryAccounts } from '../accounts/query.ts';
import { findCode, type RecentCode } from '../codes/code-store.ts';
import { AuthApiError } from '../errors.ts';
import type { JsonObject } from '../fields.ts';
import { appleAssociation, assetLinks } from '../passkeys/app-associations.ts';
import { hasPhoneCode } from '../phone/phone-code-store.ts';
import { signBlob } from '../projects/blob-signing.ts';
import {
  dropAccounts,
  initializeAuth,
  readConfig,
  readEmulatorConfig,
  updateConfig,
  updateEmulatorConfig,
} from '../projects/config-methods.ts';
import type { AuthRequest } from '../request.ts';
import type { AuthServices } from '../services.ts';
import { readSessions, revokeSession } from '../sign-in/session-methods.ts';
import { certificatesByKeyId, jwks, KEY_CACHE_CONTROL, openIdConfiguration } from '../tokens/key-ring.ts';
import type { MethodRoute, PublicRequest, PublicRoute } from './router.ts';

const VIEWER = 'identity.viewer';
const CONFIG = 'identity.configAdmin';
const V1 = '/v1/projects/{project}';
const V2 = '/v2/projects/{project}';

/**
 * Longest body of an import, in bytes: 1,000 accounts of 10 KiB each. Parsing it blocks other requests for
 * about 50 ms.
 */
const MAX_IMPORT_BYTES = 10_485_760;

/** Options of the two routes for imports. If the path does not name the project, the body does. */
const BATCH_CREATE = {
  method: 'POST',
  audience: 'admin',
  run: batchCreate,
  maxBodyBytes: MAX_IMPORT_BYTES,
} as const;

/** Routes for administrators only. */
export const ADMIN_ROUTES: readonly MethodRoute[] = [
  { ...BATCH_CREATE, path: '/v1/accounts:batchCreate' },
  { ...BATCH_CREATE, path: `${V1}/accounts:batchCreate` },
  { method: 'POST', path: '/v1/accounts:batchGet', audience: 'admin', role: VIEWER, run: batchGet },
  { method: 'GET', path: `${V1}/accounts:batchGet`, audience: 'admin', role: VIEWER, run: batchGet },
  { method: 'POST', path: `${V1}/accounts:batchDelete`, audience: 'admin', run: batchDelete },
  { method: 'POST', path: `${V1}/accounts:query`, audience: 'admin', role: VIEWER, run: queryAccounts },
  { method: 'POST', path: `${V1}:queryAccounts`, audience: 'admin', role: VIEWER, run: queryAccounts },
  {
    method: 'GET',
    path: `${V1}/accounts/{uid}/sessions`,
    audience: 'admin',
    role: VIEWER,
    run: readSessions,
  },
  {
    method: 'DELETE',
    path: `${V1}/accounts/{uid}/sessions/{session}`,
    audience: 'admin',
    run: revokeSession,
  },
  {
    method: 'GET',
    path: `${V2}/config`,
    audience: 'admin',
    role: VIEWER,
    run: readConfig,
    isOfProject: true,
    servesDisabled: true,
  },
  {
    method: 'PATCH',
    path: `${V2}/config`,
    audience: 'admin',
    role: CONFIG,
    run: updateConfig,
    isOfProject: true,
    servesDisabled: true,
  },
  {
    method: 'POST',
    path: `${V2}/identityPlatform:initializeAuth`,
    audience: 'admin',
    role: CONFIG,
    run: initializeAuth,
    isOfProject: true,
    servesDisabled: true,
  },
];

/** Routes for service accounts themselves, not for members. */
export const SERVICE_ACCOUNT_ROUTES: readonly MethodRoute[] = [
  {
    method: 'POST',
    // The hyphen stands for the project of the service account.
    path: '/v1/projects/-/serviceAccounts/{account}:signBlob',
    audience: 'admin',
    role: 'identity.tokenCreator',
    run: signBlob,
    isOfProject: true,
  },
];

/** `GET /emulator/v1/projects/{project}/oobCodes`: the unused codes, the oldest first. Development mode only. */
async function listRecentCodes(
  { project }: AuthRequest,
  { recordStore, recentCodes }: AuthServices,
): Promise<JsonObject> {
  const known = recentCodes?.list(project.scope) ?? [];
  const waiting = recordStore.read((view) => {
    const records = view.records(accountRecords(project.scope));
    return known.filter(({ code }) => findCode(records, code) !== undefined);
  });
  return { oobCodes: waiting.map(codeJson) };
}

function codeJson({ code, link, purpose }: RecentCode): JsonObject {
  return {
    email: purpose.email,
    requestType: purpose.kind,
    oobCode: code,
    oobLink: link,
    ...(purpose.kind === 'VERIFY_AND_CHANGE_EMAIL' ? { newEmail: purpose.newEmail } : {}),
  };
}

/** `GET /emulator/v1/projects/{project}/verificationCodes`: the unused codes of text messages, the oldest first. */
async function listRecentSmsCodes(
  { project }: AuthRequest,
  { recordStore, phones }: AuthServices,
): Promise<JsonObject> {
  const known = phones.recentCodes?.list(project.scope) ?? [];
  const waiting = recordStore.read((view) => {
    const records = view.records(accountRecords(project.scope));
    return known.filter(({ sessionInfo }) => hasPhoneCode(records, sessionInfo));
  });
  return {
    verificationCodes: waiting.map(({ phoneNumber, code, sessionInfo }) => ({
      phoneNumber,
      code,
      sessionInfo,
    })),
  };
}

const PROJECT = '/emulator/v1/projects/{project}';
const SHARED = { audience: 'emulator', servesDisabled: true } as const;

/** Routes of the official emulator that tests of apps use. */
export const EMULATOR_ROUTES: readonly MethodRoute[] = [
  { ...SHARED, method: 'DELETE', path: `${PROJECT}/accounts`, run: dropAccounts },
  { ...SHARED, method: 'GET', path: `${PROJECT}/config`, run: readEmulatorConfig, isOfProject: true },
  { ...SHARED, method: 'PATCH', path: `${PROJECT}/config`, run: updateEmulatorConfig, isOfProject: true },
  { ...SHARED, method: 'GET', path: `${PROJECT}/oobCodes`, run: listRecentCodes },
  { ...SHARED, method: 'GET', path: `${PROJECT}/verificationCodes`, run: listRecentSmsCodes },
];

/** The account that signs ID tokens in the official service. Verifiers request keys by this name. */
const ISSUER_ACCOUNT = 'securetoken@system.gserviceaccount.com';
const JWKS_PATH = '/.well-known/jwks.json';

/** Routes with data that verifiers of tokens and browsers read. */
export const PUBLIC_ROUTES: readonly PublicRoute[] = [
  publicRoute('/robot/v1/metadata/x509/{account}', (request, { publishedKeys }) => {
    requireIssuer(request);
    return certificatesByKeyId(publishedKeys.idToken);
  }),
  publicRoute('/service_accounts/v1/jwk/{account}', (request, { publishedKeys }) => {
    requireIssuer(request);
    return { ...jwks(publishedKeys.idToken) };
  }),
  publicRoute(JWKS_PATH, (_request, { publishedKeys }) => ({ ...jwks(publishedKeys.idToken) })),
  publicRoute('/{project}/.well-known/openid-configuration', ({ segments, origin }, { projects }) => {
    const project = projects.find(segments['project'] ?? '');
    if (project === undefined) throw new AuthApiError('NOT_FOUND');
    return openIdConfiguration(project.id, `${origin}${JWKS_PATH}`);
  }),
  publicRoute('/identitytoolkit/v3/relyingparty/publicKeys', (_request, { publishedKeys }) =>
    certificatesByKeyId(publishedKeys.sessionCookie),
  ),
  publicRoute('/v1/sessionCookiePublicKeys', (_request, { publishedKeys }) => ({
    ...jwks(publishedKeys.sessionCookie),
  })),
  {
    method: 'GET',
    path: '/.well-known/webauthn',
    audience: 'public',
    headers: { 'cache-control': 'public, max-age=60' },
    publish: ({ origin }, { passkeys }) => ({ origins: passkeys.associations.list(origin).origins }),
  },
  {
    method: 'GET',
    path: '/.well-known/assetlinks.json',
    audience: 'public',
    headers: { 'cache-control': 'public, max-age=60' },
    publish: ({ origin }, { passkeys }) => assetLinks(passkeys.associations.list(origin)),
  },
  {
    method: 'GET',
    path: '/.well-known/apple-app-site-association',
    audience: 'public',
    headers: { 'cache-control': 'public, max-age=60' },
    publish: ({ origin }, { passkeys }) => appleAssociation(passkeys.associations.list(origin)),
  },
];

function publicRoute(path: string, publish: PublicRoute['publish']): PublicRoute {
  return {
    method: 'GET',
    path,
    audience: 'public',
    headers: { 'cache-control': KEY_CACHE_CONTROL },
    publish,
  };
}

function requireIssuer({ segments }: PublicRequest): void {
  if (segments['account'] !== ISSUER_ACCOUNT) throw new AuthApiError('NOT_FOUND');
}
