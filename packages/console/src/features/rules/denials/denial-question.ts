import type { WholeDenial } from '../../../api/denials.ts';
import type { CaseJson } from '../cases/case-file.ts';
import { EMPTY_QUESTION, type Operation, parseForm, type QuestionForm } from '../simulator/question.ts';

const WRITES = new Set(['put', 'transaction', 'onDisconnectPut', 'onDisconnect', 'PUT', 'POST', 'DELETE']);
const UPDATES = new Set(['merge', 'onDisconnectMerge', 'PATCH']);

/** Returns a denied operation as input for the simulator. Fields that the log did not record completely are omitted. */
export function questionOf(denial: WholeDenial): QuestionForm {
  const operation = operationOf(denial);
  const [path = '/'] = denial.paths;
  const { identity } = denial;
  const value = operation === 'read' ? EMPTY_QUESTION.value : writtenValue(denial, operation);
  // The log stores the start of an `auth` that is too long, as a text.
  const isAuthCut = identity.kind === 'user' && typeof identity.auth === 'string';
  return {
    operation,
    path: operation === 'update' ? '/' : path,
    auth: identity.kind === 'guest' || isAuthCut ? '' : JSON.stringify(identity.auth, null, 2),
    value: value ?? '',
    query: printQuery(denial.query),
    omitted: [
      ...(isAuthCut ? (['auth'] as const) : []),
      ...(value === undefined ? (['value'] as const) : []),
    ],
  };
}

function operationOf({ operation, pathCount }: WholeDenial): Operation {
  if (UPDATES.has(operation) || pathCount > 1) return 'update';
  return WRITES.has(operation) ? 'write' : 'read';
}

/** Returns the written value as JSON; `undefined` if the log did not record all of it. */
function writtenValue({ paths, pathCount, values }: WholeDenial, operation: Operation): string | undefined {
  const written = new Map(
    values?.writes.map((write) => [
      write.kind === 'priority' ? `${write.path}/.priority` : write.path,
      write.kind === 'priority' ? JSON.stringify(write.priority) : write.json,
    ]),
  );
  if (operation === 'write') return written.get(paths[0] ?? '/');
  if (pathCount > paths.length || !paths.every((path) => written.has(path))) return undefined;
  // The texts are JSON already. Parsing and printing them would round long integers.
  return `{${paths.map((path) => `${JSON.stringify(path.slice(1))}: ${written.get(path)}`).join(', ')}}`;
}

/** Prints the parameters of a query that are set. Returns an empty string if none is set. */
function printQuery(query: WholeDenial['query']): string {
  const parameters = Object.entries(query ?? {}).filter(([, value]) => value !== null && value !== false);
  return parameters.length === 0 ? '' : JSON.stringify(Object.fromEntries(parameters));
}

/**
 * Converts a denial to a test case that expects the denial. If the log stores values, the test case contains the values
 * that the rules read. Returns `undefined` if the log did not record the whole operation.
 */
export function caseOf(denial: WholeDenial): CaseJson | undefined {
  const parsed = parseForm(questionOf(denial));
  if (parsed.kind === 'wrong') return undefined;
  const { operation, path, auth, ...rest } = parsed.question;
  const seen = (denial.values?.reads ?? []).filter(({ kind, value }) => kind === 'value' && value !== null);
  return {
    as: auth,
    [operation]: path,
    ...rest,
    now: denial.timeMs,
    ...(seen.length === 0 ? {} : { with: Object.fromEntries(seen.map((read) => [read.path, read.value])) }),
    expect: 'deny',
  };
}
