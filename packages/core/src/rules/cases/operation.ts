import type { TreeNode } from '../../tree/node.ts';
import { formatPath, type Path, parsePath, parseWritePath } from '../../tree/path.ts';
import type { DraftWrite } from '../evaluate/operation.ts';
import { NO_QUERY } from '../evaluate/scope.ts';
import type { AuthObject, QueryVariables } from '../evaluate/values.ts';
import type { DocumentValue, Property } from '../syntax/document.ts';
import { readWrite } from './data.ts';
import type { DocumentReader, Fields } from './reader.ts';

/** What somebody tries. None of the writes of an update is at or above another. */
export type CaseOperation =
  | { readonly kind: 'read'; readonly path: Path; readonly query: QueryVariables }
  | { readonly kind: 'write'; readonly write: DraftWrite }
  | { readonly kind: 'update'; readonly path: Path; readonly writes: readonly DraftWrite[] };

/** One operation, by somebody, on some data, and what rules ought to say. */
export interface RuleCase {
  readonly name: string;
  /** Where it stands in its file: UTF-16 units from the start. */
  readonly offset: number;
  /** The variable `auth`; `null` for guests. */
  readonly auth: AuthObject | null;
  /** Milliseconds since 1970; `null` for the time at which the case is run. */
  readonly nowMs: number | null;
  /** All that is in the database before the operation. */
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

/** Reads what a read asks for, by the names that rules have for it. What is not named is `false` or `null`. */
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
  reader.report(field.value.offset, `"${field.name}" is true or false.`);
  return false;
}

function readBound(reader: DocumentReader, field: Property | undefined): Bound {
  if (field === undefined) return null;
  const json = reader.json(field.value);
  if (json === null || typeof json === 'boolean' || typeof json === 'string') return json;
  if (typeof json === 'number' || typeof json === 'bigint') return Number(json);
  reader.report(field.value.offset, `"${field.name}" is a boolean, a number, a text or null.`);
  return null;
}

function readLimit(reader: DocumentReader, field: Property | undefined): number | null {
  if (field === undefined) return null;
  const json = reader.json(field.value);
  if (json === null || (typeof json === 'number' && Number.isSafeInteger(json) && json > 0)) return json;
  reader.report(field.value.offset, `"${field.name}" is a positive integer.`);
  return null;
}

export const OPERATION_KINDS = ['read', 'write', 'update'] as const;

export const OPERATION_FIELDS = [...OPERATION_KINDS, 'value', 'query'] as const;

export type OperationFields = Fields<(typeof OPERATION_FIELDS)[number]>;

/** Reads what somebody tries. `offset` is where the case begins. */
export function readOperation(
  reader: DocumentReader,
  fields: OperationFields,
  offset: number,
): CaseOperation | undefined {
  const [kind, ...others] = OPERATION_KINDS.filter((name) => fields.has(name));
  const evaluatedPath = kind === undefined ? undefined : fields.get(kind);
  if (kind === undefined || evaluatedPath === undefined)
    return reader.report(
      offset,
      'A case has one of read, write and update, with a place such as "/rooms/r1".',
    );
  for (const other of others) reportSurplus(reader, fields.get(other), `does not go with "${kind}"`);
  const text = reader.text(evaluatedPath.value, `"${kind}"`);
  if (text === undefined) return undefined;
  const value = fields.get('value');
  if (kind === 'read') reportSurplus(reader, value, 'goes with "write" and "update" only');
  else reportSurplus(reader, fields.get('query'), 'goes with "read" only');
  switch (kind) {
    case 'read':
      return readRead(reader, evaluatedPath, text, fields.get('query'));
    case 'write':
      return readOneWrite(reader, evaluatedPath, text, value);
    case 'update':
      return readUpdate(reader, evaluatedPath, text, value);
    default:
      return kind satisfies never;
  }
}

function readRead(
  reader: DocumentReader,
  evaluatedPath: Property,
  text: string,
  query: Property | undefined,
): CaseOperation | undefined {
  const variables = query === undefined ? NO_QUERY : readQuery(reader, query.value);
  const path = reader.attempt(evaluatedPath.value.offset, () => parsePath(text));
  return path && { kind: 'read', path, query: variables };
}

function readOneWrite(
  reader: DocumentReader,
  evaluatedPath: Property,
  text: string,
  value: Property | undefined,
): CaseOperation | undefined {
  if (value === undefined)
    return reader.report(evaluatedPath.offset, 'A write needs a "value"; null stands for a removal.');
  const target = reader.attempt(evaluatedPath.value.offset, () => parseWritePath(text));
  const write = target && readWrite(reader, target, value.value);
  return write && { kind: 'write', write };
}

function readUpdate(
  reader: DocumentReader,
  evaluatedPath: Property,
  text: string,
  value: Property | undefined,
): CaseOperation | undefined {
  if (value === undefined)
    return reader.report(
      evaluatedPath.offset,
      'An update needs a "value": an object of paths and their values.',
    );
  const base = reader.attempt(evaluatedPath.value.offset, () => parsePath(text));
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

/** The priority of a node counts as a place below it. */
function locationOf({ kind, path }: DraftWrite): string {
  return `/${formatPath(path)}${kind === 'priority' ? '/.priority' : ''}`.replace('//', '/');
}

function reportConflicts(reader: DocumentReader, taken: ReadonlyMap<string, number>): void {
  for (const [evaluatedPath, offset] of taken) {
    const above = pathsAbove(evaluatedPath).find((other) => taken.has(other));
    if (above !== undefined)
      reader.report(
        offset,
        `The update writes ${above} too, and ${evaluatedPath} is below it: write each place once.`,
      );
  }
}

/** `/` and `/a` for `/a/b`. */
function pathsAbove(evaluatedPath: string): readonly string[] {
  const keys = evaluatedPath.split('/').filter((key) => key !== '');
  return keys.map((_key, depth) => `/${keys.slice(0, depth).join('/')}`);
}

function reportSurplus(reader: DocumentReader, field: Property | undefined, why: string): void {
  if (field !== undefined) reader.report(field.offset, `"${field.name}" ${why}.`);
}
