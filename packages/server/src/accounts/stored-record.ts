import { isJsonObject, type JsonObject } from './fields.ts';

/** Reads the members of a stored record, of which those that say nothing are absent. */
export class StoredRecord {
  readonly #json: JsonObject;

  constructor(json: unknown) {
    this.#json = mustBeRecord(json);
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

  list(name: string): readonly unknown[] {
    const value = this.#json[name];
    return isJsonObject(value) ? Object.values(value) : [];
  }
}

export function mustBeRecord(json: unknown): JsonObject {
  if (!isJsonObject(json)) throw new Error('Bug: a stored record is no object.');
  return json;
}
