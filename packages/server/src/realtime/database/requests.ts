import type { Path } from '@hearth/core/tree/path.ts';
import { type PushKeyState, pushKey } from '@hearth/core/tree/push-key.ts';
import type { Principal } from '../../access/principal.ts';
import { requireReadAll } from '../../access/rights.ts';
import type { PublicationRequest, RulesHistory } from '../../rules/publishing/history.ts';
import type { WriteTransaction } from '../../storage/transaction/transaction.ts';
import { recordChange } from '../changes/recorder.ts';
import { measureListen, measureRead, measureWrite } from '../monitoring/costs/measured.ts';
import type { DatabaseActivity, Traffic } from '../monitoring/database-activity.ts';
import type { DatabaseService } from './api.ts';
import { canAuthorizeWithoutValue, isReadable } from './authorize.ts';
import type { Database } from './database.ts';
import { findHash, hashAfterWrite, runUntilDone } from './hash-steps.ts';
import type { OpenDatabases } from './open-databases.ts';
import { executeRead, type ReadServices } from './read.ts';
import type { StoredSettings } from './settings.ts';
import type { StandaloneListen } from './standalone-listen.ts';
import type { ReadAnswer, ReadRequest } from './tree-view.ts';
import { executeWrite, type WriteRequest, type WriteResult } from './write.ts';
import { targetOf, type WriteSizeLimit } from './write-input.ts';

export interface DatabaseRequestsOptions extends ReadServices {
  readonly databases: OpenDatabases;
  readonly settings: StoredSettings;
  readonly rulesHistory: RulesHistory;
  readonly randomBytes: (count: number) => Uint8Array;
}

/** Requests to the databases of the data directory from callers without a session, such as REST. */
export class DatabaseRequests implements DatabaseService {
  readonly rulesHistory: RulesHistory;
  readonly #options: DatabaseRequestsOptions;
  #lastPushKey: PushKeyState | undefined;

  constructor(options: DatabaseRequestsOptions) {
    this.#options = options;
    this.rulesHistory = options.rulesHistory;
  }

  activityOf(name: string): DatabaseActivity {
    return this.#options.databases.open(name).activity;
  }

  trafficOf(name: string): Traffic {
    return this.activityOf(name);
  }

  read(name: string, request: ReadRequest): Promise<ReadAnswer> {
    return this.#runUntilDone(name, (transaction, database) =>
      measureRead(transaction, database, request, () =>
        // The hash comes first, because nothing is recorded twice if the request has to run again.
        executeRead(
          transaction,
          database,
          request,
          this.#options,
          hashForRead(transaction, database, request),
        ),
      ),
    );
  }

  async write(name: string, request: WriteRequest): Promise<WriteResult> {
    const result = await this.#runUntilDone(name, (transaction, database) => {
      const { hashOf, change } = request;
      let commit: WriteResult['commit'] = null;
      const write = (): readonly NonNullable<WriteResult['commit']>[] => {
        commit = measureWrite(transaction, database, request, () =>
          executeWrite(transaction, database, request),
        );
        return commit === null ? [] : [commit];
      };
      let recorded: number | null = null;
      if (change === undefined) write();
      else recorded = recordChange(transaction, database, change, request.writes.map(targetOf), write);
      const hash = hashOf === undefined ? null : hashAfterWrite(transaction, database, hashOf);
      return { commit, hash, change: recorded };
    });
    return { ...result, hash: await result.hash };
  }

  #runUntilDone<T>(name: string, body: (transaction: WriteTransaction, database: Database) => T): Promise<T> {
    return runUntilDone((attempt) => this.#options.databases.request(name, attempt), body);
  }

  async listen(name: string, listen: StandaloneListen): Promise<void> {
    for (;;) {
      const postponed = await this.#options.databases.request(name, (transaction, database) =>
        measureListen(transaction, database, listen, () => listen.start(transaction, database)),
      );
      if (postponed === undefined) return;
      await listen.waitFor(postponed);
    }
  }

  writeSizeLimit(name: string): WriteSizeLimit {
    return this.#options.settings.read(name).defaultWriteSizeLimit;
  }

  canAuthorizeWithoutValue(name: string, path: Path, identity: Principal): boolean {
    return canAuthorizeWithoutValue(this.#options.databases.open(name).rules, path, identity);
  }

  mayTrigger(name: string): boolean {
    return this.#options.databases.open(name).triggers?.isEmpty === false;
  }

  createPushKey(): string {
    const { clock, randomBytes } = this.#options;
    const { key, state } = pushKey(clock.nowMs(), randomBytes(12), this.#lastPushKey);
    this.#lastPushKey = state;
    return key;
  }

  readRules(name: string, identity: Principal): Promise<string> {
    return this.#options.databases.request(name, (_transaction, database) => {
      requireReadAll(identity);
      return database.rules.source;
    });
  }

  writeRules(
    name: string,
    identity: Principal,
    source: string,
    request: PublicationRequest = {},
  ): Promise<number> {
    return this.rulesHistory.publish(identity, name, source, request);
  }
}

/**
 * Returns the hash that a read requests; `null` if it does not, or is not allowed. Throws `PostponedRequest` until the node
 * is hashed, and `read/too-big`. The hash of a node that changes faster than it can be hashed is that of an earlier state, so
 * that a write with it as precondition fails.
 */
function hashForRead(transaction: WriteTransaction, database: Database, request: ReadRequest): string | null {
  const { path, selection, wantsHash } = request;
  if (!wantsHash) return null;
  const query = selection.kind === 'query' ? selection.query : null;
  if (!isReadable(transaction, database, request, { path, query })) return null;
  return findHash(transaction, database, request, path, request).hash;
}
