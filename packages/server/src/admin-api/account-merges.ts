import { RequestError } from '@hearth/core/error/request-error.ts';
import type { AuditTrail } from '../audit/trail.ts';
import type { AccountMerges, MergedPair } from '../auth/accounts/merges.ts';
import type { AccountScope } from '../auth/tenants/scope.ts';
import { type Answer, jsonAnswer } from '../http/response.ts';
import { readFields, requireKnownParameters } from './parameters.ts';
import type { ApiRequest, ApiRoute } from './request.ts';
import { parseScope, type TenantServices } from './tenants.ts';

export interface AccountMergeServices extends TenantServices {
  readonly audit: AuditTrail;
  readonly accountMerges: AccountMerges;
}

const ACCOUNTS = '/api/projects/{project}/accounts';

/** Returns the routes that find accounts of the same user, and merge two of them. */
export function accountMergeRoutes(services: AccountMergeServices): readonly ApiRoute[] {
  return [
    {
      method: 'GET',
      path: `${ACCOUNTS}/duplicates`,
      run: (request) => findDuplicates(services, request),
      right: 'read',
      isFor: 'accounts',
    },
    {
      method: 'GET',
      path: `${ACCOUNTS}/merge`,
      run: (request) => previewMerge(services, request),
      right: 'read',
      isFor: 'accounts',
    },
    {
      method: 'POST',
      path: `${ACCOUNTS}/merge`,
      run: (request) => mergeAccounts(services, request),
      right: 'write',
      isFor: 'accounts',
    },
  ];
}

/** Longest user ID, in UTF-16 code units. */
const MAX_UID_LENGTH = 128;

/** Longest digest and tenant ID that the server compares. */
const MAX_TEXT_LENGTH = 128;

/**
 * `GET /api/projects/<project>/accounts/duplicates?uid=`: lists accounts that share an email address or a phone number with an
 * account, as `{"duplicates":[{"account","shared":[{"kind","text"},…]},…],"isComplete"}`. `kind` is `email` or `phone`.
 */
async function findDuplicates(
  services: AccountMergeServices,
  { segments, query }: ApiRequest,
): Promise<Answer> {
  requireKnownParameters(query, ['uid', 'tenant']);
  const scope = parseScope(services, segments['project'] ?? '', query);
  return jsonAnswer(await services.accountMerges.findDuplicates(scope, requireUid(query.get('uid'), 'uid')));
}

/**
 * `GET /api/projects/<project>/accounts/merge?into=&from=`: returns what a merge of the account `from` into the account `into`
 * would do, `{"into","from","merged","moved","lost","endedSessions","problem","digest"}`.
 */
async function previewMerge(
  services: AccountMergeServices,
  { segments, query }: ApiRequest,
): Promise<Answer> {
  requireKnownParameters(query, ['into', 'from', 'tenant']);
  const scope = parseScope(services, segments['project'] ?? '', query);
  const pair = pairOf(query.get('into'), query.get('from'));
  return jsonAnswer(services.accountMerges.preview(scope, pair));
}

/**
 * `POST /api/projects/<project>/accounts/merge` with `{"into","from","expected"}`, and `"tenant"` for accounts of a tenant:
 * merges the accounts. `expected` is the digest of the preview. Responds with the remaining account, `{"account"}`.
 */
async function mergeAccounts(services: AccountMergeServices, request: ApiRequest): Promise<Answer> {
  const fields = await readFields(request, ['into', 'from', 'expected', 'tenant']);
  const tenant = fields.has('tenant') ? { tenant: requireText(fields.get('tenant'), 'tenant') } : undefined;
  const scope = parseScope(services, request.segments['project'] ?? '', new URLSearchParams(tenant));
  const pair = pairOf(fields.get('into'), fields.get('from'));
  const account = await services.accountMerges.merge(
    scope,
    pair,
    requireText(fields.get('expected'), 'expected'),
  );
  recordMerge(services.audit, request, scope, pair);
  return jsonAnswer({ account });
}

function recordMerge(
  audit: AuditTrail,
  { admin, client }: ApiRequest,
  { projectId, tenantId }: AccountScope,
  { into, from }: MergedPair,
): void {
  for (const [uid, detail] of [
    [into, 'remains'],
    [from, 'removed'],
  ] as const)
    audit.notify({
      event: 'accounts_merged',
      projectId,
      uid,
      ...(tenantId === null ? {} : { tenant: tenantId }),
      actor: admin.name,
      ...client,
      result: 'ok',
      detail,
    });
}

function pairOf(into: unknown, from: unknown): MergedPair {
  return { into: requireUid(into, 'into'), from: requireUid(from, 'from') };
}

function requireUid(value: unknown, name: string): string {
  if (typeof value === 'string' && value !== '' && value.length <= MAX_UID_LENGTH) return value;
  throw new RequestError(
    'request/malformed',
    `"${name}" must be a user ID of 1 to ${MAX_UID_LENGTH} characters.`,
  );
}

function requireText(value: unknown, name: string): string {
  if (typeof value === 'string' && value !== '' && value.length <= MAX_TEXT_LENGTH) return value;
  throw new RequestError(
    'request/malformed',
    `"${name}" must be a text of 1 to ${MAX_TEXT_LENGTH} characters.`,
  );
}
