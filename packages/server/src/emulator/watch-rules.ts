import { readFile } from 'node:fs/promises';
import type { RulesAuthor } from '@hearth/core/api/rules-version.ts';
import { RequestError } from '@hearth/core/error/request-error.ts';
import { withoutByteOrderMark } from '@hearth/core/tree/json-text.ts';
import { ADMIN } from '../access/principal.ts';
import { watchFile } from '../platform/watch-file.ts';
import type { DatabaseService } from '../realtime/database/api.ts';
import { LOCKED_RULES } from '../rules/publishing/versions.ts';
import { nameFrom } from './firebase-json.ts';
import type { RulesFile } from './rules-files.ts';

/** The databases to which rules are published. */
export interface RulesTarget {
  readonly databases: Pick<DatabaseService, 'writeRules'>;
  /** Whether rules were ever published for the database. */
  hasRules(database: string): boolean;
}

export interface RulesWatcherOptions {
  readonly file: RulesFile;
  /** The name of the file in messages. */
  readonly name: string;
  readonly target: RulesTarget;
  /** Receives one line for the operator. */
  readonly report: (line: string) => void;
  /** Delay before rules are published again after a temporary error, such as a full disk. */
  readonly retryMs: number;
}

/** The content of a file, or the reason why it cannot be read. */
type Content =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'none'; readonly reason: string };

/** The result of publishing rules to several databases, one after the other. */
interface Outcome {
  /** The databases for which the rules have taken effect. */
  readonly written: readonly string[];
  /** Why the rules have not taken effect in the other databases, in lines. */
  readonly problems: readonly string[];
  /** Whether the same rules may be accepted later. */
  readonly mayPass: boolean;
}

/** Keeps the rules of databases in sync with a file. */
export class RulesWatcher implements AsyncDisposable {
  readonly #options: RulesWatcherOptions;
  #watch: Disposable | undefined;
  /** The latest check of the file. Checks run one after the other. */
  #check: Promise<void> = Promise.resolve();
  #seen: string | undefined;
  /** Lines that were already reported about the current content. */
  readonly #reported = new Set<string>();
  #retry: NodeJS.Timeout | undefined;
  #isDisposed = false;

  constructor(options: RulesWatcherOptions) {
    this.#options = options;
  }

  /** Starts watching. Resolves when the rules have taken effect or the problems are reported. */
  async start(): Promise<void> {
    this.#watch = watchFile(this.#options.file.path, () => this.#after(() => this.#reload()));
    this.#check = this.#check.then(() => this.#reload());
    await this.#check;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#watch?.[Symbol.dispose]();
    this.#isDisposed = true;
    await this.#check;
    clearTimeout(this.#retry);
  }

  #after(check: () => Promise<void>): void {
    this.#check = this.#check.then(check).catch((error: unknown) => this.#reportBug(error));
  }

  async #reload(): Promise<void> {
    const { file } = this.#options;
    const content = await readContent(file.path);
    const seen = `${content.kind} ${content.kind === 'text' ? content.text : content.reason}`;
    if (seen === this.#seen) return;
    this.#seen = seen;
    this.#reported.clear();
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
    if (written.length > 0) lines.push(`${name}: published for ${list(written)}`);
    if (rest.length > 0) lines.push(...(await this.#keepSafe(rest, mayPass)));
    this.#notify(lines);
    if (mayPass && !this.#isDisposed) this.#tryLater(content, rest);
  }

  /** After `retryMs`, publishes the rules again to the databases that rejected them, unless the file has changed. */
  #tryLater(content: Content, databases: readonly string[]): void {
    const seen = this.#seen;
    const retry = async (): Promise<void> => {
      if (seen === this.#seen) await this.#apply(content, databases);
    };
    this.#retry = setTimeout(() => this.#after(retry), this.#options.retryMs);
  }

  /**
   * Makes databases safe while their rules cannot be published: those with published rules keep them, and those that
   * never had rules, which would otherwise be open, are locked. Returns lines that report this.
   */
  async #keepSafe(databases: readonly string[], mayPass: boolean): Promise<readonly string[]> {
    const { name, target } = this.#options;
    const kept = databases.filter((database) => target.hasRules(database));
    const others = databases.filter((database) => !kept.includes(database));
    const message = 'Locked while the file is missing or not valid.';
    const { written: locked } = await this.#publish(LOCKED_RULES, others, message);
    const open = others.slice(locked.length);
    const when = mayPass ? 'the server tries again; until then' : 'until this is fixed';
    const lines = [
      [kept, `the rules of ${list(kept)} stay unchanged`],
      [locked, `only administrators can use ${list(locked)}`],
      [open, `every client can use ${list(open)}, which could not be locked`],
    ] as const;
    return lines.flatMap(([some, line]) => (some.length === 0 ? [] : [`${name}: ${when}, ${line}`]));
  }

  /** Reports lines that were not reported yet. */
  #notify(lines: readonly string[]): void {
    for (const line of lines) {
      if (!this.#reported.has(line)) this.#options.report(line);
      this.#reported.add(line);
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
    const { written, requestError } = await this.#publish(source, databases);
    if (requestError === undefined) return { written, problems: [], mayPass: false };
    const isInvalid = requestError.code === 'rules/invalid';
    const problems = requestError.message
      .trimEnd()
      .split('\n')
      .map((line) => (isInvalid && /^\d/.test(line) ? `${name}:${line}` : `${name}: ${line}`));
    return { written, problems, mayPass: !isInvalid };
  }

  /** Publishes rules to several databases. Stops at the first database that rejects them, and returns its error. */
  async #publish(
    source: string,
    databases: readonly string[],
    message?: string,
  ): Promise<{ readonly written: readonly string[]; readonly requestError: RequestError | undefined }> {
    const { name, target } = this.#options;
    const author: RulesAuthor = { kind: 'file', name };
    const request = { author, ...(message === undefined ? {} : { message }) };
    const written: string[] = [];
    try {
      for (const database of databases) {
        await target.databases.writeRules(database, ADMIN, source, request);
        written.push(database);
      }
      return { written, requestError: undefined };
    } catch (cause) {
      if (!(cause instanceof RequestError)) throw cause;
      return { written, requestError: cause };
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
      reason: code === 'ENOENT' ? 'The file does not exist.' : `The file cannot be read (${String(code)}).`,
    };
  }
}

/**
 * Delay before rejected rules are published again, in ms. It is short, because the operator may just have freed
 * disk space.
 */
const RETRY_MS = 5_000;

/**
 * Publishes the rules in files, and publishes them again whenever a file changes, until the result is disposed of.
 * Reported lines name files relative to `from`.
 */
export async function keepRules(
  files: readonly RulesFile[],
  target: RulesTarget,
  from: string,
  report: (line: string) => void,
): Promise<AsyncDisposable> {
  const keepers = new AsyncDisposableStack();
  for (const file of files)
    await keepers
      .use(new RulesWatcher({ file, name: nameFrom(from, file.path), target, report, retryMs: RETRY_MS }))
      .start();
  return keepers;
}
