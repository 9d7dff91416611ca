import { RequestError } from '@hearth/core/error/request-error.ts';
import { withoutByteOrderMark } from '@hearth/core/tree/json-text.ts';
import { type Key, parseKey } from '@hearth/core/tree/key.ts';
import { type Path, parsePath } from '@hearth/core/tree/path.ts';
import { MEMBER_ROLES, type MemberRole, type Principal } from '../access/principal.ts';
import { databasePrincipal } from '../auth/roles/rights.ts';
import { parseBody, readBodyText } from '../http/request-body.ts';
import { parseNamespace } from '../realtime/rest/namespace.ts';
import { parseOverrideParameter } from '../realtime/rest/parameters.ts';
import type { PublicationRequest } from '../rules/publishing/history.ts';
import { MAX_VERSION_MESSAGE } from '../rules/publishing/versions.ts';
import type { ApiRequest } from './request.ts';

/**
 * Throws `http/parameter` for query parameters that the request does not support, because the client expects
 * each parameter to take effect.
 */
export function requireKnownParameters(query: URLSearchParams, known: readonly string[]): void {
  const hint = known.length === 0 ? '' : `: use ${known.join(', ')}`;
  for (const name of query.keys())
    if (!known.includes(name))
      throw new RequestError('http/parameter', `Unknown query parameter ${JSON.stringify(name)}${hint}.`);
}

/** Parses `path`: keys separated by slashes. An absent parameter means the root. */
export function parsePathParameter(query: URLSearchParams): Path {
  return parsePath(query.get('path') ?? '');
}

/**
 * Parses a parameter that is the key of a child. The child need not exist. Returns `undefined` if the
 * parameter is absent.
 */
export function findKeyParameter(query: URLSearchParams, name: string): Key | undefined {
  const text = query.get(name);
  return text === null ? undefined : parseKey(text);
}

/** Parses `limit`: a whole number from 1 to `max`. Throws `http/parameter` for other values. */
export function parseLimitParameter(
  query: URLSearchParams,
  fallback: number,
  max: number,
  name = 'limit',
): number {
  const text = query.get(name);
  if (text === null) return fallback;
  const limit = /^[0-9]{1,9}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > max)
    throw new RequestError(
      'http/parameter',
      `The query parameter ${name} must be a whole number from 1 to ${max}.`,
    );
  return limit;
}

/** Parses a parameter that has one of a few values. If it is absent, returns the first one. */
export function parseChoiceParameter<T extends string>(
  query: URLSearchParams,
  name: string,
  choices: readonly [T, ...T[]],
): T {
  const text = query.get(name);
  if (text === null) return choices[0];
  const choice = choices.find((known) => known === text);
  if (choice === undefined)
    throw new RequestError(
      'http/parameter',
      `The query parameter ${name} must be one of ${choices.join(', ')}, not ${JSON.stringify(text)}.`,
    );
  return choice;
}

/** Returns the name of the database in a segment of the URL. Throws for a name that no database can have. */
export function segmentNamespace({ segments }: ApiRequest, segment: string): string {
  return parseNamespace(segments[segment] ?? '');
}

/** Default and maximum number of entries on a page. */
const MAX_PAGE_SIZE = 1_000;

/** Parses `pageSize`: a positive whole number. Reduces greater numbers to the maximum. */
export function parsePageSize(text: string | null): number {
  if (text === null) return MAX_PAGE_SIZE;
  if (!/^[0-9]{1,9}$/.test(text) || Number(text) === 0)
    throw new RequestError('http/parameter', 'The query parameter pageSize must be a positive whole number.');
  return Math.min(Number(text), MAX_PAGE_SIZE);
}

/**
 * Parses the id of a denial: a positive whole number. `name` is the client's name for it, for error messages.
 */
export function parseDenialId(text: string, name: string): number {
  const id = /^[0-9]{1,15}$/.test(text) ? Number(text) : 0;
  if (id > 0) return id;
  throw new RequestError('http/parameter', `"${name}" must be the id of a denial, such as 7.`);
}

/**
 * Parses the id of a connection: a positive whole number. `name` is the client's name for it, for error
 * messages.
 */
export function parseConnectionId(text: string, name: string): number {
  const id = /^[0-9]{1,15}$/.test(text) ? Number(text) : 0;
  if (id > 0) return id;
  throw new RequestError('http/parameter', `"${name}" must be the id of a connection, such as 7.`);
}

/** Parses `role` in a body. */
export function parseMemberRole(fields: ReadonlyMap<string, unknown>): MemberRole {
  const role = MEMBER_ROLES.find((known) => known === fields.get('role'));
  if (role === undefined)
    throw new RequestError('request/malformed', `"role" must be one of ${MEMBER_ROLES.join(', ')}.`);
  return role;
}

/**
 * Longest body, in bytes. The longest rules have an eighth of this size, but their JSON string can be longer.
 */
export const MAX_RULES_BODY_BYTES = 2_097_152;

/** Greatest version id that the server looks up. */
const MAX_ID = 999_999_999;

/** The fields of a JSON object in a body. */
type Fields = ReadonlyMap<string, unknown>;

/**
 * Reads a body that is a JSON object. Rejects unknown fields, because the client expects each field to take
 * effect.
 */
export async function readFields(request: ApiRequest, known: readonly string[]): Promise<Fields> {
  requireKnownParameters(request.query, []);
  const json = parseBody(await readBodyText(request.body, MAX_RULES_BODY_BYTES));
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw malformed(known);
  const fields = new Map(Object.entries(json));
  for (const name of fields.keys()) if (!known.includes(name)) throw malformed(known);
  return fields;
}

/** Parses `source`: the text of rules. Removes a byte order mark. */
export function parseSource(fields: Fields): string {
  const source = fields.get('source');
  // A lone surrogate would change when it is stored.
  if (typeof source === 'string' && source.isWellFormed()) return withoutByteOrderMark(source);
  throw new RequestError(
    'request/malformed',
    '"source" must be a string with the rules, without lone surrogates.',
  );
}

/** Parses `message` and `expected`. Both are optional. */
export function parsePublication(fields: Fields): PublicationRequest {
  const message = fields.get('message');
  if (message !== undefined && (typeof message !== 'string' || message.length > MAX_VERSION_MESSAGE))
    throw new RequestError(
      'request/malformed',
      `"message" must be a string of at most ${MAX_VERSION_MESSAGE} characters.`,
    );
  const expected = fields.has('expected') ? parseVersionId(fields.get('expected'), 'expected', 0) : undefined;
  return { ...(message === undefined ? {} : { message }), ...(expected === undefined ? {} : { expected }) };
}

/**
 * Parses the id of a version: a whole number, at least `min`. `name` is the client's name for it, for error
 * messages.
 */
export function parseVersionId(value: unknown, name: string, min: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= MAX_ID) return value;
  throw new RequestError('request/malformed', `"${name}" must be the id of a version, such as 7.`);
}

/** Parses the id of a version in a URL. */
export function parseVersionIdText(text: string, name: string): number {
  return parseVersionId(/^[0-9]+$/.test(text) ? Number(text) : undefined, name, 1);
}

function malformed(known: readonly string[]): RequestError {
  const names = known.map((name) => `"${name}"`).join(', ');
  return new RequestError(
    'request/malformed',
    `The body must be a JSON object with no fields other than ${names}.`,
  );
}

/**
 * Parses `as`: the principal that the caller impersonates. Returns `undefined` if the parameter is absent.
 * Impersonation gives the caller no additional rights.
 */
export function findImpersonated({
  query,
  admin,
}: Pick<ApiRequest, 'query' | 'admin'>): Principal | undefined {
  return query.has('as') ? databasePrincipal(parseOverrideParameter(query, 'as'), admin) : undefined;
}
