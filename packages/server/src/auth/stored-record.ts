import { isJsonObject, type JsonObject } from './fields.ts';

/** Reads the fields of a stored record. A field without a value is absent from the record. */
export class StoredRecord {
  readonly #json: JsonObject;

  constructor(json: unknown) {
    this.#json = requireRecord(json);
  }

  object(name: string): JsonObject | null {
    const value = this.#json[name];
    return isJsonObject(value) ? value : null;
  }

  text(name: string): string | null {
    const value = this.#json[name];
    return typeof value === 'string' ? value : null;
  }

  number(name: string): number | null {
    const value = this.#json[name];
    return typeof value === 'number' ? value : null;
  }

  flag(name: string): boolean {
    return this.#json[name] === true;
  }

  record(name: string): StoredRecord | undefined {
    const value = this.#json[name];
    return isJsonObject(value) ? new StoredRecord(value) : undefined;
  }

  /** Returns the items of a list, which is stored as an object; an empty list if the field is absent. */
  list(name: string): readonly unknown[] {
    const value = this.#json[name];
    return isJsonObject(value) ? Object.values(value) : [];
  }
}

export function requireRecord(json: unknown): JsonObject {
  if (!isJsonObject(json)) throw new Error('Bug: a stored record is not an object.');
  return json;
}

/**
 * Returns a function that computes its result once for each object and caches it as long as the object exists.
 * Useful for values derived from records, because the record store returns the same object until the record
 * changes. The result is shared, and may depend on the other arguments only if they are always the same for the
 * same object.
 */
export function memoizeByObject<Of extends object, Rest extends readonly unknown[], Result extends object>(
  make: (of: Of, ...rest: Rest) => Result,
): (of: Of, ...rest: Rest) => Result {
  const made = new WeakMap<Of, Result>();
  return (of, ...rest) => {
    const known = made.get(of);
    if (known !== undefined) return known;
    const result = make(of, ...rest);
    made.set(of, result);
    return result;
  };
}
