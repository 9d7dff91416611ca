import type { AuthObject } from '../rule-value.ts';
import type { DocumentValue } from '../rules-document.ts';
import type { DocumentReader } from './document-reader.ts';

/** Reads the variable `auth` of somebody who is signed in. Its numbers are doubles, as rules see them. */
export function readAuth(reader: DocumentReader, value: DocumentValue): AuthObject | undefined {
  const json = reader.json(value, Number);
  if (isObject(json)) return json;
  return reader.report(value.offset, 'The variable auth is an object in braces.');
}

function isObject(json: unknown): json is Readonly<Record<string, unknown>> {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}
