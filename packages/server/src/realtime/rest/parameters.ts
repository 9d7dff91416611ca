import { RequestError } from '@hearth/core/error/request-error.ts';
import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import { type Credential, isTooDeep, MAX_IDENTITY_LEVELS } from '../../access/verifier.ts';
import type { Print, PrintParameters } from '../../http/response.ts';
import { parseWriteSizeLimit, type WriteSizeLimit } from '../database/write-input.ts';

/** What the query parameters of a request ask for, apart from who asks and of which database. */
export interface RestParameters extends PrintParameters {
  readonly form: 'plain' | 'export';
  readonly isShallow: boolean;
  readonly timeoutMs: number;
  /** `null` for the database's own. */
  readonly writeSizeLimit: WriteSizeLimit | null;
  readonly areTriggersDisabled: boolean;
  readonly isDryRun: boolean;
}

/** What kind of request a parameter can be sent with. */
export type ParameterScope = 'read' | 'write' | 'rules' | 'setting';

const EVERYWHERE: readonly ParameterScope[] = ['read', 'write', 'rules', 'setting'];
const READ: readonly ParameterScope[] = ['read'];
const WRITE: readonly ParameterScope[] = ['write'];

/** Every parameter, and where it means something. */
const SCOPES: ReadonlyMap<string, readonly ParameterScope[]> = new Map([
  ['ns', EVERYWHERE],
  ['auth', EVERYWHERE],
  ['access_token', EVERYWHERE],
  ['auth_variable_override', EVERYWHERE],
  ['ac', EVERYWHERE],
  ['print', EVERYWHERE],
  ['x-http-method-override', EVERYWHERE],
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

/** Reads all parameters. Refuses with `http/parameter` those that mean nothing for the request, and bad values. */
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

/** A parameter that means nothing is refused, because whoever sends it expects it to count. */
function requireApplicable(name: string, scope: ParameterScope): void {
  const scopes = SCOPES.get(name);
  if (scopes === undefined)
    throw new RequestError(
      'http/parameter',
      `There is no query parameter ${JSON.stringify(name)}: use ${[...SCOPES.keys()].join(', ')}.`,
    );
  if (!scopes.includes(scope))
    throw new RequestError('http/parameter', `The query parameter ${name} means nothing for this request.`);
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
  const meant = scope === 'rules' ? 'strict' : 'export';
  if (text !== null && text !== meant)
    throw new RequestError('http/parameter', `The query parameter format must be ${meant} here.`);
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

/** Longest time that a request may ask for, and what it gets if it does not ask, in ms. */
const MAX_TIMEOUT_MS = 15 * 60_000;

/** Reads `timeout`: `3ms`, `3s` or `3min`, up to 15 minutes. Returns ms. */
function parseTimeout(text: string | null): number {
  if (text === null) return MAX_TIMEOUT_MS;
  const [, digits = '', unit = ''] = /^([0-9]{1,9})(ms|s|min)$/.exec(text) ?? [];
  const timeoutMs = Number(digits) * (UNITS_MS.get(unit) ?? 0);
  if (timeoutMs === 0 || timeoutMs > MAX_TIMEOUT_MS)
    throw new RequestError(
      'http/parameter',
      'The query parameter timeout is such as 500ms, 30s or 5min: at most 15min.',
    );
  return timeoutMs;
}

/** Reads a parameter with the identity that an administrator wants rules to be judged by: an object, or `null` for nobody. */
export function parseOverrideParameter(query: URLSearchParams, name: string): Pick<Credential, 'override'> {
  const [text, second] = query.getAll(name);
  if (text === undefined) return {};
  if (second !== undefined) throw new RequestError('http/parameter', `${name} must be given once.`);
  const override = parseOverride(text);
  if (override === undefined)
    throw new RequestError('http/parameter', `${name} must be a JSON object or null.`);
  if (isTooDeep(override))
    throw new RequestError('http/parameter', `${name} is nested deeper than ${MAX_IDENTITY_LEVELS} levels.`);
  return { override };
}

/** `undefined` for what is no JSON, or no object. */
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
