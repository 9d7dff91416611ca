import { CommandFailure } from '../../platform/failures.ts';
import { type FlagsOf, parseWhole } from '../../platform/option.ts';
import type { SERVER_OPTIONS } from '../options.ts';
import { abortOnSignal } from '../signals.ts';
import { errorFor, readText, type ServerLink, send } from '../transfer/server-link.ts';
import { readDatabase, readProjectId, readServerTarget } from '../transfer/target.ts';
import { readRulesSource, type SourceText } from './source.ts';

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
      `The server gave an unexpected answer (${this.#name} is not ${wanted}). Check that it is Hearth, in the same version as this command.`,
    );
  }
}

/** A database of a running server, as its administrators reach it. */
export interface DatabaseServer {
  readonly link: ServerLink;
  readonly database: string;
  readonly signal: AbortSignal;
}

/** Asks the interface of Hearth's own, below the database; `body` is JSON. Rejects with `ServerUnreachable` or a `CommandFailure`. */
export async function askServer(
  { link, database, signal }: DatabaseServer,
  method: 'GET' | 'POST',
  resource: string,
  body?: string,
): Promise<AnswerJson> {
  const request = { method, path: `/api/databases/${encodeURIComponent(database)}/${resource}`, signal };
  const answer = await send(link, body === undefined ? request : { ...request, body });
  const text = await readText(answer);
  if (answer.status !== 200) throw errorFor(answer.status, text);
  return new AnswerJson(parseAnswer(text));
}

function parseAnswer(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new CommandFailure('The server did not answer with JSON. Check that it is Hearth.', cause);
  }
}

/** The database that the options of a command name. Requests to it are aborted at a request to stop. */
export function readDatabaseServer(flags: FlagsOf<typeof SERVER_OPTIONS>): DatabaseServer {
  return { ...readServerTarget(flags), signal: abortOnSignal() };
}

/** The file of rules that is named, else the one of the project that is for the database. Throws a `StartFailure`. */
export function readRulesFor(flags: FlagsOf<typeof SERVER_OPTIONS>, file: string | undefined): SourceText {
  return readRulesSource(file, {
    projectId: readProjectId(flags.project),
    database: readDatabase(flags),
    from: process.cwd(),
  });
}

const MAX_NUMBER = 999_999_999_999_999;

/** Reads a number that a list has shown. `name` is what the command calls it. Throws a `StartFailure`. */
export function parseListed(text: string, name: string): number {
  return parseWhole(text, name, 1, MAX_NUMBER);
}
