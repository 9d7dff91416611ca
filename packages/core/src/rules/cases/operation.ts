import type { TreeNode } from '../../tree/node.ts';
import { formatPath, type Path, parsePath, parseWritePath } from '../../tree/path.ts';
import type { DraftWrite } from '../evaluate/operation.ts';
import { NO_QUERY } from '../evaluate/scope.ts';
import type { AuthObject, QueryVariables } from '../evaluate/values.ts';
import type { DocumentValue, Property } from '../syntax/document.ts';
import { readWrite } from './data.ts';
import type { DocumentReader, Fields } from './reader.ts';

/** The operation of a case. No write of an update is at or above another. */
export type CaseOperation =
  | { readonly kind: 'read'; readonly path: Path; readonly query: QueryVariables }
  | { readonly kind: 'write'; readonly write: DraftWrite }
  | { readonly kind: 'update'; readonly path: Path; readonly writes: readonly DraftWrite[] };

/** A test case for rules: an operation, its caller, the existing data, and the expected result. */
export interface RuleCase {
  readonly name: string;
  /** Offset of the case in its file, in UTF-16 code units. */
  readonly offset: number;
  /** The variable `auth`. It is `null` for a caller that is not signed in. */
  readonly auth: AuthObject | null;
  /** Milliseconds since 1970. `null` means the time at which the case runs. */
  readonly nowMs: number | null;
  /** The data of the whole database before the operation. */
  readonly data: TreeNode | null;
  readonly operation: CaseOperation;
  readonly isAllowed: boolean;
}

const NAMES = [
  'orderByKey',
  'orderByValue',
  'orderByPriority',
  'orderByChild',
  'startAt',
  'endAt',
  'equalTo',
  'limitToFirst',
  'limitToLast',
] as const satisfies readonly (keyof QueryVariables)[];

type Name = (typeof NAMES)[number];

const NO_FIELDS: Fields<Name> = new Map<Name, Property>();

/**
 * Reads the query of a read. The fields have the names of the properties of the variable `query`. A missing `startAt`
 * or `endAt` has the value of `equalTo`. Other missing fields are `false` or `null`.
 */
function readQuery(reader: DocumentReader, value: DocumentValue): QueryVariables {
  const fields = reader.fields(value, 'A query', NAMES) ?? NO_FIELDS;
  const flag = (name: Name): boolean => readFlag(reader, fields.get(name));
  const bound = (name: Name): Bound => readBound(reader, fields.get(name));
  const limit = (name: Name): number | null => readLimit(reader, fields.get(name));
  const equalTo = bound('equalTo');
  const child = fields.get('orderByChild')?.value;
  return {
    orderByKey: flag('orderByKey'),
    orderByValue: flag('orderByValue'),
    orderByPriority: flag('orderByPriority'),
    orderByChild: child === undefined ? null : (reader.text(child, '"orderByChild"') ?? null),
    startAt: fields.has('startAt') ? bound('startAt') : equalTo,
    endAt: fields.has('endAt') ? bound('endAt') : equalTo,
    equalTo,
    limitToFirst: limit('limitToFirst'),
    limitToLast: limit('limitToLast'),
  };
}

type Bound = boolean | number | string | null;

function readFlag(reader: DocumentReader, field: Property | undefined): boolean {
  if (field === undefined) return false;
  if (field.value.kind === 'boolean') return field.value.value;
  reader.report(field.value.offset, `"${field.name}" must be true or false.`);
  return false;
}

function readBound(reader: DocumentReader, field: Property | undefined): Bound {
  if (field === undefined) return null;
  const json = reader.json(field.value);
  if (json === null || typeof json === 'boolean' || typeof json === 'string') return json;
  if (typeof json === 'number' || typeof json === 'bigint') return Number(json);
  reader.report(field.value.offset, `"${field.name}" must be a boolean, a number, a string or null.`);
  return null;
}

function readLimit(reader: DocumentReader, field: Property | undefined): number | null {
  if (field === undefined) return null;
  const json = reader.json(field.value);
  if (json === null || (typeof json === 'number' && Number.isSafeInteger(json) && json > 0)) return json;
  reader.report(field.value.offset, `"${field.name}" must be a positive integer.`);
  return null;
}

export const OPERATION_KINDS = ['read', 'write', 'update'] as const;

export const OPERATION_FIELDS = [...OPERATION_KINDS, 'value', 'query'] as const;

export type OperationFields = Fields<(typeof OPERATION_FIELDS)[number]>;

/** Reads the operation of a case. `offset` is the start of the case. */
export function readOperation(
  reader: DocumentReader,
  fields: OperationFields,
  offset: number,
): CaseOperation | undefined {
  const [kind, ...others] = OPERATION_KINDS.filter((name) => fields.has(name));
  const pathField = kind === undefined ? undefined : fields.get(kind);
  if (kind === undefined || pathField === undefined)
    return reader.report(
      offset,
      'A case must have one of "read", "write" or "update", with a path such as "/rooms/r1".',
    );
  for (const other of others) reportSurplus(reader, fields.get(other), `cannot be combined with "${kind}"`);
  const text = reader.text(pathField.value, `"${kind}"`);
  if (text === undefined) return undefined;
  const value = fields.get('value');
  if (kind === 'read') reportSurplus(reader, value, 'is allowed only with "write" and "update"');
  else reportSurplus(reader, fields.get('query'), 'is allowed only with "read"');
  switch (kind) {
    case 'read':
      return readRead(reader, pathField, text, fields.get('query'));
    case 'write':
      return readOneWrite(reader, pathField, text, value);
    case 'update':
      return readUpdate(reader, pathField, text, value);
    default:
      return kind satisfies never;
  }
}

function readRead(
  reader: DocumentReader,
  pathField: Property,
  text: string,
  query: Property | undefined,
): CaseOperation | undefined {
  const variables = query === undefined ? NO_QUERY : readQuery(reader, query.value);
  const path = reader.attempt(pathField.value.offset, () => parsePath(text));
  return path && { kind: 'read', path, query: variables };
}

function readOneWrite(
  reader: DocumentReader,
  pathField: Property,
  text: string,
  value: Property | undefined,
): CaseOperation | undefined {
  if (value === undefined)
    return reader.report(pathField.offset, 'A write needs a "value". Use null to remove the data.');
  const target = reader.attempt(pathField.value.offset, () => parseWritePath(text));
  const write = target && readWrite(reader, target, value.value);
  return write && { kind: 'write', write };
}

function readUpdate(
  reader: DocumentReader,
  pathField: Property,
  text: string,
  value: Property | undefined,
): CaseOperation | undefined {
  if (value === undefined)
    return reader.report(pathField.offset, 'An update needs a "value": an object that maps paths to values.');
  const base = reader.attempt(pathField.value.offset, () => parsePath(text));
  const writes = base && readWrites(reader, base, value.value);
  return base && writes && { kind: 'update', path: base, writes };
}

function readWrites(reader: DocumentReader, base: Path, value: DocumentValue): readonly DraftWrite[] {
  const taken = new Map<string, number>();
  const writes: DraftWrite[] = [];
  for (const { name, offset, value: written } of reader.properties(value, 'The "value" of an update')) {
    const target = reader.attempt(offset, () => parseWritePath(`${formatPath(base)}/${name}`));
    const write = target && readWrite(reader, target, written);
    if (write === undefined) continue;
    writes.push(write);
    taken.set(locationOf(write), offset);
  }
  reportConflicts(reader, taken);
  return writes;
}

/** Returns the path of a write as text. The priority of a node counts as a path below the node. */
function locationOf({ kind, path }: DraftWrite): string {
  return `/${formatPath(path)}${kind === 'priority' ? '/.priority' : ''}`.replace('//', '/');
}

function reportConflicts(reader: DocumentReader, taken: ReadonlyMap<string, number>): void {
  for (const [path, offset] of taken) {
    const above = pathsAbove(path).find((other) => taken.has(other));
    if (above !== undefined)
      reader.report(
        offset,
        `The update writes both ${above} and ${path}, which is below it. Write each path only once.`,
      );
  }
}

/** Returns the paths above a path, for example `/` and `/a` for `/a/b`. */
function pathsAbove(path: string): readonly string[] {
  const keys = path.split('/').filter((key) => key !== '');
  return keys.map((_key, depth) => `/${keys.slice(0, depth).join('/')}`);
}

function reportSurplus(reader: DocumentReader, field: Property | undefined, why: string): void {
  if (field !== undefined) reader.report(field.offset, `"${field.name}" ${why}.`);
}
