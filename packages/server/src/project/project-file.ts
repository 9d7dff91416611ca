import { readFileSync } from 'node:fs';
import { formatProblems } from '@hearth/core/rules/problem.ts';
import {
  type DocumentValue,
  parseRulesDocument,
  RulesSyntaxError,
} from '@hearth/core/rules/rules-document.ts';
import { StartFailure } from '../ops/start-failure.ts';

/** A JSON object of a project file. */
export type JsonObject = Readonly<Record<string, unknown>>;

const NUMBER = /-?[0-9.]+(?:[eE][+-]?[0-9]+)?/y;

/**
 * Reads a file of a Firebase project: one object in JSON, with comments. `undefined` when there is no such file. Throws a
 * `StartFailure` that begins with `file:line:column` when it is something else; `name` is how people know the file.
 */
export function findProjectFile(path: string, name: string): JsonObject | undefined {
  const source = findText(path, name);
  if (source === undefined) return undefined;
  const document = parseDocument(source, name);
  const json = toJson(document, source);
  if (!isObject(json)) throw new StartFailure(`${name}:1:1: It must be an object in braces.`);
  return json;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function findText(path: string, name: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined;
    throw new StartFailure(`${name} cannot be read: ${String(cause)}.`, cause);
  }
}

function parseDocument(source: string, name: string): DocumentValue {
  try {
    return parseRulesDocument(source);
  } catch (cause) {
    if (!(cause instanceof RulesSyntaxError)) throw cause;
    throw new StartFailure(`${name}:${formatProblems(source, [cause]).trimEnd()}`, cause);
  }
}

function toJson(value: DocumentValue, source: string): unknown {
  switch (value.kind) {
    case 'object':
      return Object.fromEntries(
        value.properties.map((property) => [property.name, toJson(property.value, source)]),
      );
    case 'array':
      return value.items.map((item) => toJson(item, source));
    case 'string':
    case 'boolean':
      return value.value;
    case 'number':
      NUMBER.lastIndex = value.offset;
      return Number(NUMBER.exec(source)?.[0]);
    case 'null':
      return null;
    default:
      return value satisfies never;
  }
}
