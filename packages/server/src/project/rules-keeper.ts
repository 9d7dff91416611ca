import { readFile } from 'node:fs/promises';
import { Refusal } from '@hearth/core/fault/refusal.ts';
import { withoutByteOrderMark } from '@hearth/core/tree/byte-order-mark.ts';
import type { DatabaseService } from '../database/database-service.ts';
import { LOCKED_RULES } from '../database/default-rules.ts';
import type { RulesAuthor } from '../database/rule-versions.ts';
import { ADMIN } from '../identity/identity.ts';
import type { RulesFile } from './rules-files.ts';
import { watchFile } from './watch-file.ts';

/** Where rules are put in force. */
export interface RulesTarget {
  readonly databases: Pick<DatabaseService, 'writeRules'>;
  /** Has the database ever been given rules? */
  hasRules(database: string): boolean;
}

export interface RulesKeeperOptions {
  readonly file: RulesFile;
  /** How people know the file. */
  readonly name: string;
  readonly target: RulesTarget;
  /** Takes one line for the person who started the server. */
  readonly report: (line: string) => void;
  /** When rules that were refused for a reason that may pass, such as a full disk, are tried again. */
  readonly retryMs: number;
}

/** What is in a file, or why it cannot be read. */
type Content =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'none'; readonly reason: string };

/** What came of rules for several databases, one after the other. */
interface Outcome {
  /** Those where they are in force. */
  readonly written: readonly string[];
  /** Why they are not in force in the others, in lines. */
  readonly problems: readonly string[];
  /** May the same rules be accepted later? */
  readonly mayPass: boolean;
}

/** Keeps the rules of some databases what a file says, as often as it changes. */
export class RulesKeeper implements AsyncDisposable {
  readonly #options: RulesKeeperOptions;
  #watch: Disposable | undefined;
  /** The latest look; looks follow each other. */
  #look: Promise<void> = Promise.resolve();
  #seen: string | undefined;
  /** Lines about what was seen. */
  readonly #told = new Set<string>();
  #retry: NodeJS.Timeout | undefined;
  #isDisposed = false;

  constructor(options: RulesKeeperOptions) {
    this.#options = options;
  }

  /** Resolves when the rules are in force, or the problems reported. */
  async start(): Promise<void> {
    this.#watch = watchFile(this.#options.file.path, () => this.#after(() => this.#reload()));
    this.#look = this.#look.then(() => this.#reload());
    await this.#look;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#watch?.[Symbol.dispose]();
    this.#isDisposed = true;
    await this.#look;
    clearTimeout(this.#retry);
  }

  #after(look: () => Promise<void>): void {
    this.#look = this.#look.then(look).catch((error: unknown) => this.#reportBug(error));
  }

  async #reload(): Promise<void> {
    const { file } = this.#options;
    const content = await readContent(file.path);
    const seen = `${content.kind} ${content.kind === 'text' ? content.text : content.reason}`;
    if (seen === this.#seen) return;
    this.#seen = seen;
    this.#told.clear();
    clearTimeout(this.#retry);
    await this.#apply(content, file.databases);
  }

  async #apply(content: Content, databases: readonly string[]): Promise<void> {
    const { name } = this.#options;
    const { written, problems, mayPass } =
      content.kind === 'text'
        ? await this.#write(content.text, databases)
        : { written: [], problems: [`${name}: ${content.reason}`], mayPass: false };
    const rest = databases.slice(written.length);
    const lines = [...problems];
    if (written.length > 0) lines.push(`${name}: in force for ${list(written)}`);
    if (rest.length > 0) lines.push(...(await this.#keepSafe(rest, mayPass)));
    this.#tell(lines);
    if (mayPass && !this.#isDisposed) this.#tryLater(content, rest);
  }

  /** The same rules again, in the databases that have refused them, unless the file changes before. */
  #tryLater(content: Content, databases: readonly string[]): void {
    const seen = this.#seen;
    const retry = async (): Promise<void> => {
      if (seen === this.#seen) await this.#apply(content, databases);
    };
    this.#retry = setTimeout(() => this.#after(retry), this.#options.retryMs);
  }

  /**
   * What has rules keeps them; what never had any is locked, and not open as databases otherwise are at first. The lines tell
   * of it.
   */
  async #keepSafe(databases: readonly string[], mayPass: boolean): Promise<readonly string[]> {
    const { name, target } = this.#options;
    const kept = databases.filter((database) => target.hasRules(database));
    const others = databases.filter((database) => !kept.includes(database));
    const message = 'Locked for as long as the file is missing or wrong.';
    const { written: locked } = await this.#publish(LOCKED_RULES, others, message);
    const open = others.slice(locked.length);
    const when = mayPass ? 'this is tried again; until then' : 'until this is right';
    const lines = [
      [kept, `the rules of ${list(kept)} stay as they were`],
      [locked, `only administrators may use ${list(locked)}`],
      [open, `everybody may use ${list(open)}, which could not be locked`],
    ] as const;
    return lines.flatMap(([some, line]) => (some.length === 0 ? [] : [`${name}: ${when}, ${line}`]));
  }

  /** Repeats nothing. */
  #tell(lines: readonly string[]): void {
    for (const line of lines) {
      if (!this.#told.has(line)) this.#options.report(line);
      this.#told.add(line);
    }
  }

  #reportBug(error: unknown): void {
    const { name, report } = this.#options;
    report(
      `${name}: unexpected error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
  }

  async #write(source: string, databases: readonly string[]): Promise<Outcome> {
    const { name } = this.#options;
    const { written, refusal } = await this.#publish(source, databases);
    if (refusal === undefined) return { written, problems: [], mayPass: false };
    const isInvalid = refusal.code === 'rules/invalid';
    const problems = refusal.message
      .trimEnd()
      .split('\n')
      .map((line) => (isInvalid && /^\d/.test(line) ? `${name}:${line}` : `${name}: ${line}`));
    return { written, problems, mayPass: !isInvalid };
  }

  /** Stops at the first database that refuses. */
  async #publish(
    source: string,
    databases: readonly string[],
    message?: string,
  ): Promise<{ readonly written: readonly string[]; readonly refusal: Refusal | undefined }> {
    const { name, target } = this.#options;
    const author: RulesAuthor = { kind: 'file', name };
    const request = { author, ...(message === undefined ? {} : { message }) };
    const written: string[] = [];
    try {
      for (const database of databases) {
        await target.databases.writeRules(database, ADMIN, source, request);
        written.push(database);
      }
      return { written, refusal: undefined };
    } catch (cause) {
      if (!(cause instanceof Refusal)) throw cause;
      return { written, refusal: cause };
    }
  }
}

function list(databases: readonly string[]): string {
  return databases.join(' and ');
}

async function readContent(path: string): Promise<Content> {
  try {
    return { kind: 'text', text: withoutByteOrderMark(await readFile(path, 'utf8')) };
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    return {
      kind: 'none',
      reason: code === 'ENOENT' ? 'There is no such file.' : `It cannot be read (${String(code)}).`,
    };
  }
}
