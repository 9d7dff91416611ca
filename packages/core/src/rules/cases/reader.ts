import { RequestError } from '../../error/request-error.ts';
import { parseJsonText } from '../../tree/json-text.ts';
import type { AuthObject } from '../evaluate/values.ts';
import type { DocumentValue, Property } from '../syntax/document.ts';
import { didYouMean, type Problem } from '../syntax/problems.ts';

/** Fields of an object by name. */
export type Fields<Name extends string> = Pick<ReadonlyMap<Name, Property>, 'get' | 'has'>;

/** Reads values of a document. Collects the problems it finds instead of stopping at the first. */
export class DocumentReader {
  readonly #source: string;
  readonly #problems: Problem[] = [];

  constructor(source: string) {
    this.#source = source;
  }

  get problems(): readonly Problem[] {
    return this.#problems;
  }

  report(offset: number, message: string): undefined {
    this.#problems.push({ offset, message });
  }

  /**
   * Returns the fields of an object by name. Reports fields with other names, and a value that is not an object.
   * `what` describes the object, for example `A case`.
   */
  fields<Name extends string>(
    value: DocumentValue,
    what: string,
    names: readonly Name[],
  ): Fields<Name> | undefined {
    if (value.kind !== 'object') return this.report(value.offset, `${what} must be an object in braces.`);
    const fields = new Map<Name, Property>();
    for (const property of value.properties) {
      const name = names.find((known) => known === property.name);
      if (name === undefined) this.#reportUnknown(property, what, names);
      else fields.set(name, property);
    }
    return fields;
  }

  /** Returns the properties of an object, which may have any names. Reports a value that is not an object. */
  properties(value: DocumentValue, what: string): readonly Property[] {
    if (value.kind === 'object') return value.properties;
    this.report(value.offset, `${what} must be an object in braces.`);
    return [];
  }

  text(value: DocumentValue, what: string): string | undefined {
    return value.kind === 'string'
      ? value.value
      : this.report(value.offset, `${what} must be a string in quotes.`);
  }

  /**
   * Returns the JavaScript value of a document value. By default, integers that a double may not represent
   * become bigints.
   */
  json(value: DocumentValue, readNumber: (text: string) => unknown = parseJsonText): unknown {
    switch (value.kind) {
      case 'object':
        return Object.fromEntries(
          value.properties.map((field) => [field.name, this.json(field.value, readNumber)]),
        );
      case 'array':
        return value.items.map((item) => this.json(item, readNumber));
      case 'string':
      case 'boolean':
        return value.value;
      case 'number':
        return readNumber(this.#source.slice(value.offset, value.end));
      case 'null':
        return null;
      default:
        return value satisfies never;
    }
  }

  /** Reports every name that occurs twice in one object, at any depth. */
  checkNames(value: DocumentValue): void {
    if (value.kind === 'array') for (const item of value.items) this.checkNames(item);
    if (value.kind !== 'object') return;
    const seen = new Set<string>();
    for (const property of value.properties) {
      if (seen.has(property.name))
        this.report(property.offset, `${JSON.stringify(property.name)} occurs twice.`);
      seen.add(property.name);
      this.checkNames(property.value);
    }
  }

  /** Returns the result of `read`. Reports a `RequestError` of `read` as a problem at `offset`. */
  attempt<T>(offset: number, read: () => T): T | undefined {
    try {
      return read();
    } catch (cause) {
      if (!(cause instanceof RequestError)) throw cause;
      return this.report(offset, cause.message);
    }
  }

  #reportUnknown(property: Property, what: string, names: readonly string[]): void {
    const hint = didYouMean(property.name, names) || ` Allowed fields: ${names.join(', ')}.`;
    this.report(property.offset, `${what} has no field ${JSON.stringify(property.name)}.${hint}`);
  }
}

/** Reads the variable `auth` of a signed-in user. Its numbers become doubles, as in rules. */
export function readAuth(reader: DocumentReader, value: DocumentValue): AuthObject | undefined {
  const json = reader.json(value, Number);
  if (isObject(json)) return json;
  return reader.report(value.offset, 'The variable auth must be an object in braces.');
}

function isObject(json: unknown): json is Readonly<Record<string, unknown>> {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}
