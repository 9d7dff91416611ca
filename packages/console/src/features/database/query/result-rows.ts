import { printExact } from '../model/leaf-value.ts';
import { joinPath, type NodePath } from '../model/node-path.ts';

/** Maximum number of values of a child that its row shows. The others are in the child's own view. */
export const MAX_FIELDS = 12;
/** Maximum length of a shown value in UTF-16 code units. */
const SHOWN_UNITS = 300;

/** A primitive value of a result: the child itself, or a member of it. */
export interface ResultValue {
  readonly path: NodePath;
  /** The key that the row shows before the value; `null` for the child itself. */
  readonly name: string | null;
  readonly kind: 'string' | 'number' | 'boolean';
  readonly value: unknown;
  /** The value as JSON, cut if it is long. */
  readonly text: string;
}

/** A member of a result that is an object. */
export interface ResultObject {
  readonly path: NodePath;
  readonly name: string;
  readonly preview: string;
}

/** A child that a filter has found. */
export interface ResultRow {
  readonly key: string;
  readonly path: NodePath;
  readonly values: readonly ResultValue[];
  readonly objects: readonly ResultObject[];
  /** Whether the child has more members than `values` and `objects`. */
  readonly isCut: boolean;
}

/** Returns the row of a child from its value in export format. */
export function resultRow(parent: NodePath, key: string, exported: unknown): ResultRow {
  const path = joinPath(parent, key);
  const values: ResultValue[] = [];
  const objects: ResultObject[] = [];
  const own = primitiveOf(exported);
  if (own !== undefined) return { key, path, values: [resultValue(path, null, own)], objects, isCut: false };
  const members = Object.entries(exported as object).filter(([name]) => name !== '.priority');
  for (const [name, member] of members.slice(0, MAX_FIELDS)) {
    const primitive = primitiveOf(member);
    const at = joinPath(path, name);
    if (primitive === undefined) objects.push({ path: at, name, preview: shorten(member) });
    else values.push(resultValue(at, name, primitive));
  }
  return { key, path, values, objects, isCut: members.length > MAX_FIELDS };
}

/** Returns a primitive value without its priority; `undefined` for an object. */
function primitiveOf(exported: unknown): string | number | boolean | undefined {
  const value =
    typeof exported === 'object' && exported !== null && '.value' in exported ? exported['.value'] : exported;
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'boolean':
      return value;
    default:
      return undefined;
  }
}

function resultValue(path: NodePath, name: string | null, value: string | number | boolean): ResultValue {
  const kind = typeof value === 'string' ? 'string' : typeof value === 'number' ? 'number' : 'boolean';
  return { path, name, kind, value, text: shorten(value) };
}

function shorten(value: unknown): string {
  const text = printExact(value, 0);
  return text.length <= SHOWN_UNITS ? text : `${text.slice(0, SHOWN_UNITS)}…`;
}
