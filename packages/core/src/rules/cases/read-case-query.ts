import type { QueryVariables } from '../rule-value.ts';
import type { DocumentValue, Property } from '../rules-document.ts';
import type { DocumentReader, Fields } from './document-reader.ts';

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
export function readQuery(reader: DocumentReader, value: DocumentValue): QueryVariables {
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
