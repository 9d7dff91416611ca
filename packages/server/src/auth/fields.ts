import { AuthApiError, type AuthErrorCode } from './errors.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * The members of a request, read as leniently as the official service reads them: names in camel case or snake
 * case, numbers for text and text for numbers, `null` for a missing member. Unknown members are ignored.
 */
export class Fields {
  readonly #json: JsonObject;
  /** Whether some member has a name in snake case. */
  readonly #hasSnakeCase: boolean;

  constructor(json: JsonObject) {
    this.#json = json;
    this.#hasSnakeCase = Object.keys(json).some((name) => name.includes('_'));
  }

  /** Returns whether the member is present with any value except `null`. */
  has(name: string): boolean {
    return this.find(name) !== undefined;
  }

  /** Returns the names of all members as they were sent. */
  names(): readonly string[] {
    return Object.keys(this.#json);
  }

  /** Returns the value as it was sent, or `undefined` if it is missing or `null`. */
  find(name: string): unknown {
    const value = this.#json[name] ?? (this.#hasSnakeCase ? this.#json[snakeCase(name)] : undefined);
    return value ?? undefined;
  }

  /**
   * Returns a text, which may be empty, or `undefined` if it is missing. Throws `INVALID_ARGUMENT` if the value is
   * neither a string nor a number.
   */
  text(name: string): string | undefined {
    const value = this.find(name);
    switch (typeof value) {
      case 'undefined':
      case 'string':
        return value;
      case 'number':
      case 'bigint':
        return String(value);
      default:
        throw wrongType(name, 'a string');
    }
  }

  /** Returns a text, or `undefined` if it is missing or empty. */
  filled(name: string): string | undefined {
    return this.text(name) || undefined;
  }

  /**
   * Returns a required text. Throws `code` if it is missing or empty; `detail` is shown to the user.
   */
  require(name: string, code: AuthErrorCode, detail?: string): string {
    const text = this.filled(name);
    if (text === undefined) throw new AuthApiError(code, detail);
    return text;
  }

  flag(name: string): boolean | undefined {
    const value = this.find(name);
    if (value === '') return undefined;
    if (value === undefined || typeof value === 'boolean') return value;
    if (value === 'true' || value === 'false') return value === 'true';
    throw wrongType(name, 'true or false');
  }

  /** Returns an integer. It may be sent as text, as 64-bit numbers are. */
  whole(name: string): number | undefined {
    const value = this.find(name);
    if (value === undefined || value === '') return undefined;
    const number = typeof value === 'string' ? Number(value) : value;
    if (typeof number !== 'number' || !Number.isSafeInteger(number)) throw wrongType(name, 'a whole number');
    return number;
  }

  /** Returns one of `choices`, or `undefined` for any other value. Older clients send the position of a choice. */
  choice<T extends string>(name: string, choices: readonly T[]): T | undefined {
    return findChoice(this.find(name), choices);
  }

  /** Returns a list of texts. A single text counts as a list of one. */
  texts(name: string): readonly string[] | undefined {
    const value = this.find(name);
    if (value === undefined) return undefined;
    const list = Array.isArray(value) ? value : [value];
    if (!list.every((item) => typeof item === 'string')) throw wrongType(name, 'a list of strings');
    return list;
  }

  /** Returns a list of choices, each read as by `choice`. Skips unknown words. */
  choices<T extends string>(name: string, choices: readonly T[]): readonly T[] {
    const value = this.find(name);
    if (value === undefined) return [];
    const list: readonly unknown[] = Array.isArray(value) ? value : [value];
    return list.flatMap((item) => findChoice(item, choices) ?? []);
  }

  object(name: string): Fields | undefined {
    const value = this.find(name);
    if (value === undefined) return undefined;
    if (!isJsonObject(value)) throw wrongType(name, 'an object');
    return new Fields(value);
  }

  objects(name: string): readonly Fields[] | undefined {
    const value = this.find(name);
    if (value === undefined) return undefined;
    if (!Array.isArray(value) || !value.every(isJsonObject)) throw wrongType(name, 'a list of objects');
    return value.map((item) => new Fields(item));
  }
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function findChoice<T extends string>(value: unknown, choices: readonly T[]): T | undefined {
  return typeof value === 'number' ? choices[value] : choices.find((choice) => choice === value);
}

function wrongType(name: string, expected: string): AuthApiError {
  return new AuthApiError('INVALID_ARGUMENT', `"${name}" must be ${expected}.`);
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
