import { readFile } from 'node:fs/promises';
import { Refusal } from '@hearth/core/fault/refusal.ts';
import type { DatabaseService } from '../database/database-service.ts';
import { ADMIN } from '../identity/identity.ts';
import { LOCKED_RULES } from '../rules/default-rules.ts';
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
}

/** What is in a file, or why it cannot be read. */
type Content =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'none'; readonly reason: string };

/** Keeps the rules of some databases what a file says, as often as it changes. */
export class RulesKeeper implements AsyncDisposable {
  readonly #options: RulesKeeperOptions;
  #watch: Disposable | undefined;
  /** The latest look; looks follow each other. */
  #look: Promise<void> = Promise.resolve();
  #seen: string | undefined;

  constructor(options: RulesKeeperOptions) {
    this.#options = options;
  }

  /** Resolves when the rules are in force, or the problems reported. */
  async start(): Promise<void> {
    this.#watch = watchFile(this.#options.file.path, () => {
      this.#look = this.#look.then(() => this.#reload()).catch((error: unknown) => this.#reportBug(error));
    });
    this.#look = this.#look.then(() => this.#reload());
    await this.#look;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#watch?.[Symbol.dispose]();
    await this.#look;
  }

  async #reload(): Promise<void> {
    const { file, name, report } = this.#options;
    const content = await readContent(file.path);
    const seen = `${content.kind} ${content.kind === 'text' ? content.text : content.reason}`;
    if (seen === this.#seen) return;
    this.#seen = seen;
    const problems =
      content.kind === 'text' ? await this.#write(content.text) : [`${name}: ${content.reason}`];
    for (const problem of problems) report(problem);
    if (problems.length === 0) report(`${name}: in force for ${file.databases.join(' and ')}`);
    else await this.#keepSafe();
  }

  /** What has rules keeps them; what never had any is locked, and not open as databases otherwise are at first. */
  async #keepSafe(): Promise<void> {
    const { file, name, target, report } = this.#options;
    const kept = file.databases.filter((database) => target.hasRules(database));
    const locked = file.databases.filter((database) => !kept.includes(database));
    for (const database of locked) await target.databases.writeRules(database, ADMIN, LOCKED_RULES);
    if (kept.length > 0)
      report(`${name}: until this is right, the rules of ${kept.join(' and ')} stay as they were`);
    if (locked.length > 0)
      report(`${name}: until this is right, only administrators may use ${locked.join(' and ')}`);
  }

  #reportBug(error: unknown): void {
    const { name, report } = this.#options;
    report(
      `${name}: unexpected error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
  }

  /** Every problem as a line; none when the rules are in force. */
  async #write(source: string): Promise<readonly string[]> {
    const { file, name, target } = this.#options;
    try {
      for (const database of file.databases) await target.databases.writeRules(database, ADMIN, source);
      return [];
    } catch (cause) {
      if (!(cause instanceof Refusal)) throw cause;
      const isPlaced = cause.code === 'rules/invalid';
      return cause.message
        .trimEnd()
        .split('\n')
        .map((line) => (isPlaced && /^\d/.test(line) ? `${name}:${line}` : `${name}: ${line}`));
    }
  }
}

async function readContent(path: string): Promise<Content> {
  try {
    return { kind: 'text', text: await readFile(path, 'utf8') };
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    return {
      kind: 'none',
      reason: code === 'ENOENT' ? 'There is no such file.' : `It cannot be read (${String(code)}).`,
    };
  }
}
