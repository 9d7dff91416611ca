import { RequestError } from '@hearth/core/error/request-error.ts';
import type { AccountDirectory } from '../auth/accounts/directory.ts';
import type { AccountSearches } from '../auth/accounts/search.ts';
import { type Answer, jsonAnswer, ndjsonAnswer } from '../http/response.ts';
import { parseChoiceParameter, parseLimitParameter, requireKnownParameters } from './parameters.ts';
import type { ApiRequest, ApiRoute } from './request.ts';
import { parseScope, type TenantServices } from './tenants.ts';

export interface AccountServices extends TenantServices {
  readonly accountDirectory: AccountDirectory;
  readonly accountSearches: AccountSearches;
}

const ACCOUNTS = '/api/projects/{project}/accounts';

/** Returns the routes of the accounts of a project. */
export function accountRoutes(services: AccountServices): readonly ApiRoute[] {
  return [
    {
      method: 'GET',
      path: ACCOUNTS,
      run: (request) => listAccounts(services, request),
      right: 'read',
      isFor: 'accounts',
    },
    {
      method: 'GET',
      path: `${ACCOUNTS}/search`,
      run: (request) => searchAccounts(services, request),
      right: 'read',
      isFor: 'accounts',
    },
    {
      method: 'GET',
      path: '/api/projects/{project}/passkeys',
      run: (request) => countPasskeys(services, request),
      right: 'read',
      isFor: 'accounts',
    },
  ];
}

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;
const MAX_TEXT_LENGTH = 256;

const ORDERS = ['uid', 'email', 'created', 'seen', 'any'] as const;

/**
 * `GET /api/projects/<project>/accounts`: lists accounts of a tenant, or those without a tenant, as `{"accounts","next"}`. The
 * parameter `by` selects which accounts, and their order:
 * - `uid` or `email`: in the order of that key, optionally only keys that start with `prefix`.
 * - `created` or `seen`: most recent first.
 * - `any`: some of the accounts in which any value starts with `prefix`.
 */
async function listAccounts(services: AccountServices, { segments, query }: ApiRequest): Promise<Answer> {
  requireKnownParameters(query, ['by', 'prefix', 'after', 'limit', 'tenant']);
  const by = parseChoiceParameter(query, 'by', ORDERS);
  const limit = parseLimitParameter(query, DEFAULT_LIMIT, MAX_LIMIT);
  const prefix = findText(query, 'prefix');
  const after = findText(query, 'after');
  const scope = parseScope(services, segments['project'] ?? '', query);
  const directory = services.accountDirectory;
  switch (by) {
    case 'uid':
    case 'email':
      return jsonAnswer(directory.list(scope, by, { prefix: prefix ?? '', after: after ?? null, limit }));
    case 'created':
    case 'seen':
      if (prefix !== undefined) throw incompatibleParameter(by, 'prefix');
      return jsonAnswer(directory.listLatest(scope, by, { after: after ?? null, limit }));
    case 'any':
      if (prefix === undefined)
        throw new RequestError(
          'http/parameter',
          'by=any needs the query parameter prefix: the start of the values to find.',
        );
      if (after !== undefined) throw incompatibleParameter(by, 'after');
      return jsonAnswer(directory.findByPrefix(scope, prefix, limit));
    default:
      return by satisfies never;
  }
}

function incompatibleParameter(by: string, name: string): RequestError {
  return new RequestError('http/parameter', `The query parameter ${name} cannot be used with by=${by}.`);
}

function findText(query: URLSearchParams, name: string): string | undefined {
  const text = query.get(name) ?? undefined;
  if (text === '' || (text?.length ?? 0) > MAX_TEXT_LENGTH)
    throw new RequestError(
      'http/parameter',
      `The query parameter ${name} must have 1 to ${MAX_TEXT_LENGTH} characters.`,
    );
  return text;
}

/**
 * `GET /api/projects/<project>/passkeys`: returns the number of passkeys of the accounts of a tenant, or of those without a
 * tenant, `{"count","isExact"}`. An inexact count is a lower bound.
 */
async function countPasskeys(services: AccountServices, { segments, query }: ApiRequest): Promise<Answer> {
  requireKnownParameters(query, ['tenant']);
  const scope = parseScope(services, segments['project'] ?? '', query);
  return jsonAnswer(services.accountDirectory.countPasskeys(scope));
}

const DEFAULT_FOUND_LIMIT = 100;
const MAX_FOUND_LIMIT = 1_000;

/**
 * `GET /api/projects/<project>/accounts/search`: searches all accounts of a tenant, or those without a tenant, for a
 * text. Streams the results as lines of JSON.
 */
async function searchAccounts(
  services: AccountServices,
  { identity, holder, segments, query }: ApiRequest,
): Promise<Answer> {
  requireKnownParameters(query, ['text', 'limit', 'tenant']);
  const text = query.get('text') ?? '';
  if (text === '' || text.length > MAX_TEXT_LENGTH)
    throw new RequestError(
      'http/parameter',
      `The query parameter text must have 1 to ${MAX_TEXT_LENGTH} characters.`,
    );
  const limit = parseLimitParameter(query, DEFAULT_FOUND_LIMIT, MAX_FOUND_LIMIT);
  const scope = parseScope(services, segments['project'] ?? '', query);
  return ndjsonAnswer(services.accountSearches.open(identity, holder, { scope, text, limit }));
}
