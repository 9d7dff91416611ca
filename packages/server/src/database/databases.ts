import { Refusal } from '@hearth/core/fault/refusal.ts';
import type { Path } from '@hearth/core/tree/path.ts';
import { type PushKeyState, pushKey } from '@hearth/core/tree/push-key.ts';
import type { Committer } from '../commit/committer.ts';
import type { Turn } from '../commit/turn.ts';
import type { Identity } from '../identity/identity.ts';
import type { KvStore } from '../kv/store.ts';
import type { Commit } from '../log/commit.ts';
import type { Clock } from '../ops/clock.ts';
import { canRead } from '../rules/decide.ts';
import { parseRules } from '../rules/parse-rules.ts';
import { Database } from './database.ts';
import { DatabaseDirectory } from './database-directory.ts';
import type { DatabaseService, WriteRequest } from './database-service.ts';
import { endDisconnected, listQueues } from './disconnect-queue.ts';
import { decideWrite } from './write.ts';

export interface DatabasesOptions {
  readonly store: KvStore;
  readonly committer: Committer;
  readonly clock: Clock;
  readonly randomBytes: (count: number) => Uint8Array;
  /** Source of the rules that a database has until some are uploaded. */
  readonly newDatabaseRules: string;
}

/** Database objects kept though nobody is connected; beyond, the idle ones are forgotten and made again when asked for. */
const MAX_IDLE = 1_000;

/** All databases of the data directory. */
export class Databases implements DatabaseService {
  readonly #options: DatabasesOptions;
  readonly #directory: DatabaseDirectory;
  readonly #open = new Map<string, Database>();
  #lastPushKey: PushKeyState | undefined;

  constructor(options: DatabasesOptions) {
    this.#options = options;
    this.#directory = new DatabaseDirectory(options.store);
  }

  /** A database by its valid name; it comes to be when something is first written to it. */
  open(name: string): Database {
    const known = this.#open.get(name);
    if (known !== undefined) return known;
    if (this.#open.size >= MAX_IDLE) this.#forgetIdle();
    const source = this.#directory.findRules(name) ?? this.#options.newDatabaseRules;
    const database = new Database(name, parseRules(source), (turn) => this.#directory.openTree(turn, name));
    this.#open.set(name, database);
    return database;
  }

  readJson(name: string, identity: Identity, path: Path, form: 'export' | 'plain'): Promise<string> {
    return this.#decide(name, (turn, database) => {
      if (!canRead(database.rules, path, identity)) throw new Refusal('access/denied');
      return database.tree(turn).nodeJson(path, form);
    });
  }

  write(name: string, request: WriteRequest): Promise<Commit | null> {
    return this.#decide(name, (turn, database) => decideWrite(turn, database, request));
  }

  createPushKey(): string {
    const { clock, randomBytes } = this.#options;
    const { key, state } = pushKey(clock.nowMs(), randomBytes(12), this.#lastPushKey);
    this.#lastPushKey = state;
    return key;
  }

  readRules(name: string, identity: Identity): Promise<string> {
    return this.#decide(name, (_turn, database) => {
      mustBeAdmin(identity);
      return database.rules.source;
    });
  }

  async writeRules(name: string, identity: Identity, source: string): Promise<void> {
    mustBeAdmin(identity);
    const rules = parseRules(source);
    await this.#decide(name, (turn, database) => {
      turn.mustBeWritable();
      this.#directory.writeRules(turn, name, rules);
      database.replaceRules(turn, rules);
    });
  }

  /** Executes what sessions left to be written when the server died under them. To be called before serving. */
  async finishLostSessions(): Promise<void> {
    await this.#options.committer.request((turn) => {
      for (const { sessionId, database } of listQueues(turn))
        endDisconnected(turn, this.open(database), sessionId);
    });
  }

  #decide<T>(name: string, decide: (turn: Turn, database: Database) => T): Promise<T> {
    return this.#options.committer.request((turn) => decide(turn, this.open(name)));
  }

  #forgetIdle(): void {
    for (const [name, database] of this.#open) if (database.isIdle) this.#open.delete(name);
  }
}

function mustBeAdmin(identity: Identity): void {
  if (identity.kind !== 'admin') throw new Refusal('auth/admin-only');
}
