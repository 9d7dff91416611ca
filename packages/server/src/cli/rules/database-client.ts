import { CommandFailure } from '../../platform/failures.ts';
import { type FlagsOf, parseInteger } from '../../platform/option.ts';
import type { SERVER_OPTIONS } from '../options.ts';
import { abortOnSignal } from '../signals.ts';
import { errorFor, readText, type ServerLink, send } from '../transfer/server-link.ts';
import { readDatabase, readProjectId, readServerTarget } from '../transfer/target.ts';
import { readRulesSource, type SourceText } from './source.ts';

/**
 * The JSON of a server's response, or a part of it. Its methods throw a `CommandFailure` if the JSON has an
 * unexpected type.
 */
export class AnswerJson {
  readonly json: unknown;
  readonly #name: string;

  constructor(json: unknown, name = 'the answer') {
    this.json = json;
    this.#name = name;
  }

  /** Returns a member of the object. A missing member is `null`. */
  member(name: string): AnswerJson {
    const { json } = this;
    if (typeof json !== 'object' || json === null || Array.isArray(json)) throw this.#unexpected('an object');
    const value: unknown = new Map(Object.entries(json)).get(name);
    return new AnswerJson(value ?? null, `"${name}" of ${this.#name}`);
  }

  items(): readonly AnswerJson[] {
    if (!Array.isArray(this.json)) throw this.#unexpected('an array');
    return this.json.map((item, index) => new AnswerJson(item, `item ${index} of ${this.#name}`));
  }

  text(): string {
    if (typeof this.json !== 'string') throw this.#unexpected('a string');
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

  /** Returns the result of `read`, or `null` if the JSON is `null`. */
  optional<T>(read: (present: AnswerJson) => T): T | null {
    return this.json === null ? null : read(this);
  }

  #unexpected(wanted: string): CommandFailure {
    return new CommandFailure(
      `The server gave an unexpected answer (${this.#name} is not ${wanted}). Check that the server is Hearth and has the same version as this command.`,
    );
  }
}

/** A database of a running server, and how to reach it as an administrator. */
export interface DatabaseServer {
  readonly link: ServerLink;
  readonly database: string;
  readonly signal: AbortSignal;
}

/**
 * Sends a request to the admin API, below the path of the database. `body` is JSON text. Rejects with
 * `ServerUnreachable` or a `CommandFailure`.
 */
export async function callDatabaseApi(
  { link, database, signal }: DatabaseServer,
  method: 'GET' | 'POST',
  resource: string,
  body?: string,
): Promise<AnswerJson> {
  const request = { method, path: `/api/databases/${encodeURIComponent(database)}/${resource}`, signal };
  const answer = await send(link, body === undefined ? request : { ...request, body });
  const text = await readText(answer);
  if (answer.status !== 200) throw errorFor(answer, text);
  return new AnswerJson(parseAnswer(text));
}

function parseAnswer(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new CommandFailure('The server did not answer with JSON. Check that it is Hearth.', cause);
  }
}

/** Returns the database that the options of a command name. A stop signal aborts requests to it. */
export function readDatabaseServer(flags: FlagsOf<typeof SERVER_OPTIONS>): DatabaseServer {
  return { ...readServerTarget(flags), signal: abortOnSignal() };
}

/**
 * Reads the named rules file, or the rules file that the project specifies for the database. Throws a
 * `StartFailure` if the file does not exist or cannot be read.
 */
export function readRulesFor(flags: FlagsOf<typeof SERVER_OPTIONS>, file: string | undefined): SourceText {
  return readRulesSource(file, {
    projectId: readProjectId(flags.project),
    database: readDatabase(flags),
    from: process.cwd(),
  });
}

const MAX_NUMBER = 999_999_999_999_999;

/**
 * Parses a number from a printed list. Messages refer to the argument as `name`. Throws a `StartFailure` if
 * the text is not a whole number from 1 to `MAX_NUMBER`.
 */
export function parseListed(text: string, name: string): number {
  return parseInteger(text, name, 1, MAX_NUMBER);
}
