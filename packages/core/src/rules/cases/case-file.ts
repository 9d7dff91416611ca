import type { TreeNode } from '../../tree/node.ts';
import { formatPath } from '../../tree/path.ts';
import type { AuthObject } from '../evaluate/values.ts';
import { type DocumentValue, parseRulesDocument, RulesSyntaxError } from '../syntax/document.ts';
import type { Problem } from '../syntax/problems.ts';
import { readData, readOverlay } from './data.ts';
import { type CaseOperation, OPERATION_FIELDS, type RuleCase, readOperation } from './operation.ts';
import { DocumentReader, type Fields, readAuth } from './reader.ts';

/**
 * Returns a name for a case without one, for example `alice writes /rooms/r1`. `word` is the name that the file
 * uses for the caller.
 */
function nameCase(word: string | undefined, auth: AuthObject | null, operation: CaseOperation): string {
  return `${word ?? formatIdentity(auth)} ${formatOperation(operation)}`;
}

function formatIdentity(auth: AuthObject | null): string {
  if (auth === null) return 'anonymous';
  const uid = Object.entries(auth).find(([name]) => name === 'uid')?.[1];
  return typeof uid === 'string' ? uid : 'a user';
}

function formatOperation(operation: CaseOperation): string {
  switch (operation.kind) {
    case 'read':
      return `reads /${formatPath(operation.path)}`;
    case 'write': {
      const { write } = operation;
      const path = `/${formatPath(write.path)}`;
      if (write.kind === 'priority') return `sets the priority of ${path}`;
      return write.draft.node === null ? `removes ${path}` : `writes ${path}`;
    }
    case 'update':
      return `updates /${formatPath(operation.path)}`;
    default:
      return operation satisfies never;
  }
}

export type ParsedCases =
  | { readonly kind: 'cases'; readonly cases: readonly RuleCase[] }
  /** The problems are in no particular order. */
  | { readonly kind: 'wrong'; readonly problems: readonly Problem[] };

const FILE_FIELDS = ['data', 'users', 'now', 'cases'] as const;
const CASE_FIELDS = ['name', 'as', ...OPERATION_FIELDS, 'data', 'with', 'now', 'expect'] as const;

/** The fields of a file that apply to all its cases. A case may replace `data` and `nowMs`. */
interface Shared {
  readonly data: TreeNode | null;
  readonly nowMs: number | null;
  readonly users: ReadonlyMap<string, AuthObject>;
}

/**
 * Parses a case file: JSON with comments. Reports every problem, or only the first error if the text is not
 * JSON.
 */
export function parseCaseFile(source: string): ParsedCases {
  try {
    const reader = new DocumentReader(source);
    const cases = readFile(reader, parseRulesDocument(source));
    const { problems } = reader;
    return problems.length === 0 ? { kind: 'cases', cases } : { kind: 'wrong', problems };
  } catch (cause) {
    if (cause instanceof RulesSyntaxError) return { kind: 'wrong', problems: [cause] };
    throw cause;
  }
}

function readFile(reader: DocumentReader, document: DocumentValue): readonly RuleCase[] {
  reader.checkNames(document);
  const fields = reader.fields(document, 'A case file', FILE_FIELDS);
  if (fields === undefined) return [];
  const shared: Shared = {
    data: readDataField(reader, fields, null),
    nowMs: readNow(reader, fields, null),
    users: readUsers(reader, fields.get('users')?.value),
  };
  const list = fields.get('cases');
  if (list?.value.kind !== 'array') {
    reader.report((list?.value ?? document).offset, 'A case file must have "cases": an array of objects.');
    return [];
  }
  return list.value.items.flatMap((item) => readCase(reader, item, shared) ?? []);
}

function readCase(reader: DocumentReader, value: DocumentValue, shared: Shared): RuleCase | undefined {
  const fields = reader.fields(value, 'A case', CASE_FIELDS);
  if (fields === undefined) return undefined;
  const as = fields.get('as')?.value;
  const auth = as === undefined ? null : readIdentity(reader, as, shared.users);
  const operation = readOperation(reader, fields, value.offset);
  const isAllowed = readExpectation(reader, fields.get('expect')?.value, value.offset);
  const given = fields.get('name')?.value;
  const name = given === undefined ? undefined : reader.text(given, '"name"');
  const base = readDataField(reader, fields, shared.data);
  const overlay = fields.get('with')?.value;
  const data = overlay === undefined ? base : readOverlay(reader, base, overlay);
  const nowMs = readNow(reader, fields, shared.nowMs);
  if (operation === undefined || isAllowed === undefined) return undefined;
  const who = as?.kind === 'string' ? as.value : undefined;
  return {
    name: name ?? nameCase(who, auth, operation),
    offset: value.offset,
    auth,
    nowMs,
    data,
    operation,
    isAllowed,
  };
}

function readDataField(
  reader: DocumentReader,
  fields: Fields<'data'>,
  fallback: TreeNode | null,
): TreeNode | null {
  const data = fields.get('data');
  return data === undefined ? fallback : readData(reader, data.value);
}

/**
 * Matches a time with date, time of day and `Z`. Without `Z`, the meaning of a time depends on the time zone of
 * the machine.
 */
const FULL_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?Z$/;

function readNow(reader: DocumentReader, fields: Fields<'now'>, fallback: number | null): number | null {
  const field = fields.get('now');
  if (field === undefined) return fallback;
  const json = reader.json(field.value);
  const nowMs = typeof json === 'string' && FULL_TIME.test(json) ? Date.parse(json) : json;
  if (typeof nowMs === 'number' && Number.isSafeInteger(nowMs)) return nowMs;
  reader.report(
    field.value.offset,
    '"now" must be a number of milliseconds since 1970, or a string such as "2026-01-31T12:00:00Z".',
  );
  return fallback;
}

function readUsers(
  reader: DocumentReader,
  value: DocumentValue | undefined,
): ReadonlyMap<string, AuthObject> {
  const users = new Map<string, AuthObject>();
  if (value === undefined) return users;
  for (const user of reader.properties(value, '"users"')) {
    const auth = readAuth(reader, user.value);
    if (auth !== undefined) users.set(user.name, auth);
  }
  return users;
}

function readIdentity(
  reader: DocumentReader,
  value: DocumentValue,
  users: ReadonlyMap<string, AuthObject>,
): AuthObject | null {
  if (value.kind === 'null') return null;
  if (value.kind === 'string') return users.get(value.value) ?? authOf(value.value);
  if (value.kind === 'object') return readAuth(reader, value) ?? null;
  reader.report(
    value.offset,
    '"as" must be null for an anonymous caller, a name, or an object for the variable auth.',
  );
  return null;
}

/** Returns the variable `auth` of a user for whom the file gives only the ID. */
function authOf(uid: string): AuthObject {
  return { uid, provider: 'custom', token: { sub: uid, user_id: uid } };
}

function readExpectation(
  reader: DocumentReader,
  value: DocumentValue | undefined,
  offset: number,
): boolean | undefined {
  if (value?.kind === 'string' && value.value === 'allow') return true;
  if (value?.kind === 'string' && value.value === 'deny') return false;
  return reader.report(value?.offset ?? offset, 'A case must have "expect": "allow" or "deny".');
}
