import { RequestError } from '@hearth/core/error/request-error.ts';
import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import { type Credential, isTooDeep, MAX_PRINCIPAL_DEPTH } from '../../access/verifier.ts';
import type { Print, PrintParameters } from '../../http/response.ts';
import { parseWriteSizeLimit, type WriteSizeLimit } from '../database/write-input.ts';

/** The parsed query parameters of a request, except for the credential and the database. */
export interface RestParameters extends PrintParameters {
  readonly form: 'plain' | 'export';
  readonly isShallow: boolean;
  readonly timeoutMs: number;
  /** `null` applies the limit of the database. */
  readonly writeSizeLimit: WriteSizeLimit | null;
  readonly areTriggersDisabled: boolean;
  readonly isDryRun: boolean;
}

/** A kind of request that a parameter applies to. */
export type ParameterScope = 'read' | 'write' | 'rules' | 'setting';

const ALL_SCOPES: readonly ParameterScope[] = ['read', 'write', 'rules', 'setting'];
const READ: readonly ParameterScope[] = ['read'];
const WRITE: readonly ParameterScope[] = ['write'];

/** All parameters, with the kinds of requests that they apply to. */
const SCOPES: ReadonlyMap<string, readonly ParameterScope[]> = new Map([
  ['ns', ALL_SCOPES],
  ['auth', ALL_SCOPES],
  ['access_token', ALL_SCOPES],
  ['auth_variable_override', ALL_SCOPES],
  ['ac', ALL_SCOPES],
  ['print', ALL_SCOPES],
  ['x-http-method-override', ALL_SCOPES],
  ['timeout', ['read', 'write']],
  ['format', ['read', 'rules']],
  ['shallow', READ],
  ['callback', READ],
  ['download', READ],
  ['orderBy', READ],
  ['startAt', READ],
  ['startAfter', READ],
  ['endAt', READ],
  ['endBefore', READ],
  ['equalTo', READ],
  ['limitToFirst', READ],
  ['limitToLast', READ],
  ['writeSizeLimit', WRITE],
  ['disableTriggers', WRITE],
  ['dryRun', ['rules']],
]);

/**
 * Parses all parameters. Throws `http/parameter` for invalid values and for parameters that do not apply to
 * the request.
 */
export function parseRestParameters(query: URLSearchParams, scope: ParameterScope): RestParameters {
  for (const name of query.keys()) requireApplicable(name, scope);
  const sizeLimit = query.get('writeSizeLimit');
  return {
    print: parsePrint(query.get('print')),
    form: parseForm(query.get('format'), scope),
    isShallow: parseFlag(query, 'shallow'),
    callback: parseCallback(query.get('callback')),
    download: query.get('download'),
    timeoutMs: parseTimeout(query.get('timeout')),
    writeSizeLimit: sizeLimit === null ? null : parseWriteSizeLimit(sizeLimit),
    areTriggersDisabled: parseFlag(query, 'disableTriggers'),
    isDryRun: parseFlag(query, 'dryRun'),
  };
}

/**
 * Throws `http/parameter` if the parameter does not apply to the request. It must not be ignored, because the
 * client expects it to have an effect.
 */
function requireApplicable(name: string, scope: ParameterScope): void {
  const scopes = SCOPES.get(name);
  if (scopes === undefined)
    throw new RequestError(
      'http/parameter',
      `Unknown query parameter ${JSON.stringify(name)}: use ${[...SCOPES.keys()].join(', ')}.`,
    );
  if (!scopes.includes(scope))
    throw new RequestError('http/parameter', `The query parameter ${name} does not apply to this request.`);
}

function parsePrint(text: string | null): Print {
  if (text === null) return 'plain';
  if (text === 'pretty' || text === 'silent') return text;
  throw new RequestError(
    'http/parameter',
    `The query parameter print must be pretty or silent, not ${JSON.stringify(text)}.`,
  );
}

function parseForm(text: string | null, scope: ParameterScope): RestParameters['form'] {
  const allowed = scope === 'rules' ? 'strict' : 'export';
  if (text !== null && text !== allowed)
    throw new RequestError(
      'http/parameter',
      `The query parameter format must be ${allowed} for this request.`,
    );
  return text === null ? 'plain' : 'export';
}

function parseFlag(query: URLSearchParams, name: string): boolean {
  const text = query.get(name);
  if (text === null || text === 'false') return false;
  if (text === 'true') return true;
  throw new RequestError('http/parameter', `The query parameter ${name} must be true or false.`);
}

const CALLBACK = /^[A-Za-z_$][A-Za-z0-9_$.]{0,127}$/;

function parseCallback(text: string | null): string | null {
  if (text !== null && !CALLBACK.test(text))
    throw new RequestError('http/parameter', 'The query parameter callback must be the name of a function.');
  return text;
}

const UNITS_MS: ReadonlyMap<string, number> = new Map([
  ['ms', 1],
  ['s', 1_000],
  ['min', 60_000],
]);

/** Longest timeout that a request may set, and the default, in ms. */
const MAX_TIMEOUT_MS = 15 * 60_000;

/** Parses `timeout`: `3ms`, `3s` or `3min`, up to 15 minutes. Returns ms. */
function parseTimeout(text: string | null): number {
  if (text === null) return MAX_TIMEOUT_MS;
  const [, digits = '', unit = ''] = /^([0-9]{1,9})(ms|s|min)$/.exec(text) ?? [];
  const timeoutMs = Number(digits) * (UNITS_MS.get(unit) ?? 0);
  if (timeoutMs === 0 || timeoutMs > MAX_TIMEOUT_MS)
    throw new RequestError(
      'http/parameter',
      'The query parameter timeout must be a time such as 500ms, 30s or 5min, at most 15min.',
    );
  return timeoutMs;
}

/**
 * Parses a parameter with the `auth` value that an administrator wants rules to use: an object, or `null` for
 * an anonymous client. Throws `http/parameter` if the value is invalid, repeated or too deep.
 */
export function parseOverrideParameter(query: URLSearchParams, name: string): Pick<Credential, 'override'> {
  const [text, second] = query.getAll(name);
  if (text === undefined) return {};
  if (second !== undefined) throw new RequestError('http/parameter', `${name} must be given only once.`);
  const override = parseOverride(text);
  if (override === undefined)
    throw new RequestError('http/parameter', `${name} must be a JSON object or null.`);
  if (isTooDeep(override))
    throw new RequestError('http/parameter', `${name} is nested deeper than ${MAX_PRINCIPAL_DEPTH} levels.`);
  return { override };
}

/** Returns `undefined` if the text is not JSON, or neither an object nor `null`. */
function parseOverride(text: string): Readonly<Record<string, unknown>> | null | undefined {
  try {
    const json = parseJsonText(text);
    return typeof json === 'object' && !Array.isArray(json)
      ? (json as Readonly<Record<string, unknown>> | null)
      : undefined;
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined;
    throw cause;
  }
}
