import { RequestError } from '@hearth/core/error/request-error.ts';
import { ACCOUNT_STATES, type AccountFilter } from '../auth/accounts/account-filter.ts';
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
/** The place at which a page ends is a key and a few characters. */
const MAX_PLACE_LENGTH = 300;

const ORDERS = ['uid', 'email', 'created', 'seen', 'any'] as const;

/**
 * `GET /api/projects/<project>/accounts`: lists accounts of a tenant, or those without a tenant, as `{"accounts","next"}`. The
 * parameter `by` selects which accounts, and their order:
 * - `uid` or `email`: in the order of that key, optionally only keys that start with `prefix`.
 * - `created` or `seen`: most recent first.
 * - `any`: the accounts in which any value starts with `prefix`; `next` is valid only with the same `prefix`.
 * With a filter or `by=any`, a page may have fewer accounts than `limit`, or none, and still have a next page.
 */
async function listAccounts(services: AccountServices, { segments, query }: ApiRequest): Promise<Answer> {
  requireKnownParameters(query, ['by', 'prefix', 'after', 'limit', 'tenant', ...FILTERS]);
  const by = parseChoiceParameter(query, 'by', ORDERS);
  const limit = parseLimitParameter(query, DEFAULT_LIMIT, MAX_LIMIT);
  const prefix = findText(query, 'prefix');
  const after = findText(query, 'after', MAX_PLACE_LENGTH);
  const scope = parseScope(services, segments['project'] ?? '', query);
  const directory = services.accountDirectory;
  const filter = parseFilter(query);
  if (by !== 'any' && Object.keys(filter).length > 0) {
    if (prefix !== undefined && by !== 'uid' && by !== 'email') throw incompatibleParameter(by, 'prefix');
    const range = { prefix: prefix ?? '', after: after ?? null, limit };
    return jsonAnswer(await directory.listFiltered(scope, by, range, filter));
  }
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
      return jsonAnswer(
        await directory.listByPrefix(scope, { text: prefix, after: after ?? null, limit }, filter),
      );
    default:
      return by satisfies never;
  }
}

/** The parameters that filter accounts. */
const FILTERS = ['state', 'provider', 'claim', 'seen', 'seenFrom', 'seenTo'];

/** Parses the filter of a list: an account must have all properties that are given. */
function parseFilter(query: URLSearchParams): AccountFilter {
  const provider = findText(query, 'provider');
  const claim = findText(query, 'claim');
  const seen = parseSeen(query);
  return {
    ...(query.has('state') ? { state: parseChoiceParameter(query, 'state', ACCOUNT_STATES) } : {}),
    ...(provider === undefined ? {} : { provider }),
    ...(claim === undefined ? {} : { claim: parseClaim(claim) }),
    ...(seen === undefined ? {} : { seen }),
  };
}

/** Parses `name` or `name=value`. */
function parseClaim(text: string): NonNullable<AccountFilter['claim']> {
  const end = text.indexOf('=');
  return end === -1 ? { name: text, value: null } : { name: text.slice(0, end), value: text.slice(end + 1) };
}

/** Parses `seen=never`, or the bounds `seenFrom` and `seenTo` in ms. */
function parseSeen(query: URLSearchParams): AccountFilter['seen'] {
  const bounds = ['seenFrom', 'seenTo'].filter((name) => query.has(name));
  if (query.has('seen')) {
    if (bounds.length > 0)
      throw new RequestError(
        'http/parameter',
        'The query parameter seen cannot be used with seenFrom or seenTo.',
      );
    return parseChoiceParameter<'never'>(query, 'seen', ['never']);
  }
  if (bounds.length === 0) return undefined;
  return {
    fromMs: parseTime(query.get('seenFrom') ?? '0', 'seenFrom'),
    toMs: query.has('seenTo') ? parseTime(query.get('seenTo') ?? '', 'seenTo') : Number.POSITIVE_INFINITY,
  };
}

function parseTime(text: string, name: string): number {
  if (!/^\d{1,15}$/.test(text))
    throw new RequestError('http/parameter', `The query parameter ${name} must be a time in ms since 1970.`);
  return Number(text);
}

function incompatibleParameter(by: string, name: string): RequestError {
  return new RequestError('http/parameter', `The query parameter ${name} cannot be used with by=${by}.`);
}

function findText(query: URLSearchParams, name: string, maxLength = MAX_TEXT_LENGTH): string | undefined {
  const text = query.get(name) ?? undefined;
  if (text === '' || (text?.length ?? 0) > maxLength)
    throw new RequestError(
      'http/parameter',
      `The query parameter ${name} must have 1 to ${maxLength} characters.`,
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
  requireKnownParameters(query, ['text', 'limit', 'tenant', ...FILTERS]);
  const text = query.get('text') ?? '';
  if (text === '' || text.length > MAX_TEXT_LENGTH)
    throw new RequestError(
      'http/parameter',
      `The query parameter text must have 1 to ${MAX_TEXT_LENGTH} characters.`,
    );
  const limit = parseLimitParameter(query, DEFAULT_FOUND_LIMIT, MAX_FOUND_LIMIT);
  const scope = parseScope(services, segments['project'] ?? '', query);
  return ndjsonAnswer(
    services.accountSearches.open(identity, holder, { scope, text, limit, filter: parseFilter(query) }),
  );
}
