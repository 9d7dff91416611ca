import { Refusal } from '@hearth/core/fault/refusal.ts';
import { parseWriteSizeLimit, type WriteSizeLimit } from '../database/write-size-limit.ts';
import { parseTimeout } from './timeout-parameter.ts';

/** How an answer is to be printed. */
export type Print = 'plain' | 'pretty' | 'silent';

/** What the query parameters of a request ask for, apart from who asks and of which database. */
export interface RestParameters {
  readonly print: Print;
  readonly form: 'plain' | 'export';
  readonly isShallow: boolean;
  /** Name of the function that the answer is to call, for pages that load it as a script. */
  readonly callback: string | null;
  /** Name of the file that a browser is to save the answer as. */
  readonly download: string | null;
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
  for (const name of query.keys()) mustApply(name, scope);
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
function mustApply(name: string, scope: ParameterScope): void {
  const scopes = SCOPES.get(name);
  if (scopes === undefined)
    throw new Refusal(
      'http/parameter',
      `There is no query parameter ${JSON.stringify(name)}: use ${[...SCOPES.keys()].join(', ')}.`,
    );
  if (!scopes.includes(scope))
    throw new Refusal('http/parameter', `The query parameter ${name} means nothing for this request.`);
}

function parsePrint(text: string | null): Print {
  if (text === null) return 'plain';
  if (text === 'pretty' || text === 'silent') return text;
  throw new Refusal(
    'http/parameter',
    `The query parameter print must be pretty or silent, not ${JSON.stringify(text)}.`,
  );
}

function parseForm(text: string | null, scope: ParameterScope): RestParameters['form'] {
  const meant = scope === 'rules' ? 'strict' : 'export';
  if (text !== null && text !== meant)
    throw new Refusal('http/parameter', `The query parameter format must be ${meant} here.`);
  return text === null ? 'plain' : 'export';
}

function parseFlag(query: URLSearchParams, name: string): boolean {
  const text = query.get(name);
  if (text === null || text === 'false') return false;
  if (text === 'true') return true;
  throw new Refusal('http/parameter', `The query parameter ${name} must be true or false.`);
}

const CALLBACK = /^[A-Za-z_$][A-Za-z0-9_$.]{0,127}$/;

function parseCallback(text: string | null): string | null {
  if (text !== null && !CALLBACK.test(text))
    throw new Refusal('http/parameter', 'The query parameter callback must be the name of a function.');
  return text;
}
