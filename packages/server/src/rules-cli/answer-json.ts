import { CommandFailure } from '../ops/command-failure.ts';

/** JSON that a server has answered with, or a part of it. What is not as expected throws a `CommandFailure`. */
export class AnswerJson {
  readonly json: unknown;
  readonly #name: string;

  constructor(json: unknown, name = 'the answer') {
    this.json = json;
    this.#name = name;
  }

  /** A member; of what has none of that name, one that is `null`. */
  member(name: string): AnswerJson {
    const { json } = this;
    if (typeof json !== 'object' || json === null || Array.isArray(json)) throw this.#unexpected('an object');
    const value: unknown = new Map(Object.entries(json)).get(name);
    return new AnswerJson(value ?? null, `"${name}" of ${this.#name}`);
  }

  items(): readonly AnswerJson[] {
    if (!Array.isArray(this.json)) throw this.#unexpected('an array');
    return this.json.map((item, index) => new AnswerJson(item, `${index} of ${this.#name}`));
  }

  text(): string {
    if (typeof this.json !== 'string') throw this.#unexpected('a text');
    return this.json;
  }

  number(): number {
    if (typeof this.json !== 'number') throw this.#unexpected('a number');
    return this.json;
  }

  boolean(): boolean {
    if (typeof this.json !== 'boolean') throw this.#unexpected('true or false');
    return this.json;
  }

  /** What `read` makes of it, or `null` if it is that. */
  optional<T>(read: (present: AnswerJson) => T): T | null {
    return this.json === null ? null : read(this);
  }

  #unexpected(wanted: string): CommandFailure {
    return new CommandFailure(
      `The server gave no answer of the kind that is known here (${this.#name} is not ${wanted}): is it Hearth, and of the same version?`,
    );
  }
}
