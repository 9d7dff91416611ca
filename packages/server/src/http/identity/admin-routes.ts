import { readSessions, revokeSession } from '../../accounts/admin/account-sessions.ts';
import { batchCreate } from '../../accounts/admin/batch-create.ts';
import { batchDelete } from '../../accounts/admin/batch-delete.ts';
import { batchGet } from '../../accounts/admin/batch-get.ts';
import { queryAccounts } from '../../accounts/admin/query-accounts.ts';
import { initializeAuth, readConfig, updateConfig } from '../../accounts/admin/update-config.ts';
import type { MethodRoute } from './identity-route.ts';

const VIEWER = 'identity.viewer';
const CONFIG = 'identity.configAdmin';
const V1 = '/v1/projects/{project}';
const V2 = '/v2/projects/{project}';

/** Longest body of an import: 1,000 accounts of 10 KiB each. Nobody else is answered while it is parsed, for some 50 ms. */
const MAX_IMPORT_BYTES = 10_485_760;

/** An import may come with its project in the body too. */
const BATCH_CREATE = {
  method: 'POST',
  audience: 'admin',
  run: batchCreate,
  maxBodyBytes: MAX_IMPORT_BYTES,
} as const;

/** What only administrators do. */
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
    servesDisabled: true,
  },
  {
    method: 'PATCH',
    path: `${V2}/config`,
    audience: 'admin',
    role: CONFIG,
    run: updateConfig,
    servesDisabled: true,
  },
  {
    method: 'POST',
    path: `${V2}/identityPlatform:initializeAuth`,
    audience: 'admin',
    role: CONFIG,
    run: initializeAuth,
    servesDisabled: true,
  },
];
