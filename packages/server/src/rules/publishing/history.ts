import type { RulesAuthor, RulesVersion, WholeRulesVersion } from '@hearth/core/api/rules-version.ts';
import { RequestError } from '@hearth/core/error/request-error.ts';
import { parseRules } from '@hearth/core/rules/compile/rules.ts';
import type { RuleSet } from '@hearth/core/rules/evaluate/rule-set.ts';
import type { Principal } from '../../access/principal.ts';
import { requireAdmin, requireReadAll } from '../../access/rights.ts';
import type { NotPromise } from '../../storage/kv/store.ts';
import { authorOf } from '../../storage/log/commit.ts';
import type { TransactionScheduler } from '../../storage/transaction/scheduler.ts';
import type { WriteTransaction } from '../../storage/transaction/transaction.ts';
import { unifiedDifference } from './diff.ts';
import {
  addVersion,
  findLatestVersion,
  findRules,
  findVersion,
  findVersionSource,
  listVersions,
} from './versions.ts';

/** The options for publishing rules. */
export interface PublicationRequest {
  /** Default: the principal that publishes the rules. */
  readonly author?: RulesAuthor;
  readonly message?: string;
  /**
   * The version that the author expects to replace, or 0 for none. Prevents overwriting rules that another author has
   * published.
   */
  readonly expected?: number;
}

/**
 * Returns the author of published rules. Members and service accounts are named; other administrators, such as the
 * operator of the server, are not.
 */
export function publisherOf(identity: Principal): RulesAuthor {
  if (identity.kind !== 'admin' || identity.grant === undefined) return authorOf(identity);
  const { grant } = identity;
  return grant.kind === 'member'
    ? { kind: 'member', uid: grant.uid }
    : { kind: 'service-account', email: grant.serviceAccount };
}

/** A publication request with an author. */
type Publication = PublicationRequest & Required<Pick<PublicationRequest, 'author'>>;

export interface RulesHistoryOptions {
  readonly scheduler: TransactionScheduler;
  /** Stores rules and applies them from the next operation on. */
  readonly replaceRules: (transaction: WriteTransaction, database: string, rules: RuleSet) => void;
  /** Resolves when all reads of a database are authorized under its current rules. */
  readonly untilReadsChecked: (database: string) => Promise<void>;
}

/**
 * Publishes rules and keeps the published versions. A publication happens in one transaction: every other
 * operation runs entirely before or after it. Administrators may publish, and principals that may read
 * everything may list versions. Others get `auth/admin-only`.
 */
export class RulesHistory {
  readonly #options: RulesHistoryOptions;

  constructor(options: RulesHistoryOptions) {
    this.#options = options;
  }

  /** Returns at most `limit` versions, newest first, only those before version `before` unless it is `null`. */
  list(
    identity: Principal,
    database: string,
    before: number | null,
    limit: number,
  ): Promise<readonly RulesVersion[]> {
    return this.#read(identity, (transaction) => listVersions(transaction.tx, database, before, limit));
  }

  /** Returns one version. Throws `rules/no-version` if it is not stored. */
  async find(identity: Principal, database: string, id: number): Promise<WholeRulesVersion> {
    const { version, source, sourceBefore } = await this.#read(identity, ({ tx }) => ({
      version: findVersion(tx, database, id),
      source: findVersionSource(tx, database, id),
      sourceBefore: findVersionSource(tx, database, id - 1),
    }));
    if (version === undefined || source === undefined) throw new RequestError('rules/no-version');
    const difference =
      sourceBefore === undefined
        ? null
        : unifiedDifference(
            { name: `version ${id - 1}`, text: sourceBefore },
            { name: `version ${id}`, text: source },
          );
    return { ...version, source, difference };
  }

  /** Publishes rules and returns the id of their version. Throws `rules/invalid`, `rules/outdated` or `store/full`. */
  async publish(
    identity: Principal,
    database: string,
    source: string,
    request: PublicationRequest,
  ): Promise<number> {
    requireAdmin(identity);
    const rules = parseRules(source);
    return this.#publish(database, rules, { author: publisherOf(identity), ...request });
  }

  /**
   * Publishes the source of a stored version, and returns the id of the current version. Throws `rules/no-version` and
   * the errors of `publish`.
   */
  async rollBack(
    identity: Principal,
    database: string,
    to: number,
    request: PublicationRequest,
  ): Promise<number> {
    requireAdmin(identity);
    const source = await this.#read(identity, ({ tx }) => findVersionSource(tx, database, to));
    if (source === undefined) throw new RequestError('rules/no-version');
    // This version of the program may reject rules that an earlier version accepted.
    const rules = parseRules(source);
    return this.#publish(database, rules, { author: publisherOf(identity), ...request }, to);
  }

  async #publish(
    database: string,
    rules: RuleSet,
    request: Publication,
    rolledBackTo: number | null = null,
  ): Promise<number> {
    const { scheduler, untilReadsChecked } = this.#options;
    const id = await scheduler.request((transaction) =>
      this.publishInTransaction(transaction, database, rules, request, rolledBackTo),
    );
    await untilReadsChecked(database);
    return id;
  }

  /**
   * Publishes rules within a transaction and returns the id of their version. Publishing the current source creates no
   * version. Throws `rules/outdated` or `store/full`.
   */
  publishInTransaction(
    transaction: WriteTransaction,
    database: string,
    rules: RuleSet,
    { author, message, expected }: Publication,
    rolledBackTo: number | null = null,
  ): number {
    transaction.assertWritable();
    const latest = findLatestVersion(transaction.tx, database);
    const isCurrent = findRules(transaction.tx, database) === rules.source;
    if (!isCurrent && expected !== undefined && expected !== (latest?.id ?? 0))
      throw new RequestError('rules/outdated', explainOutdated(expected, latest));
    const { id } =
      isCurrent && latest !== undefined
        ? latest
        : addVersion(transaction.tx, database, rules.source, {
            timeMs: transaction.nowMs,
            author,
            message: message ?? null,
            rolledBackTo,
          });
    this.#options.replaceRules(transaction, database, rules);
    return id;
  }

  async #read<T>(identity: Principal, read: (transaction: WriteTransaction) => NotPromise<T>): Promise<T> {
    requireReadAll(identity);
    return this.#options.scheduler.request(read);
  }
}

function explainOutdated(expected: number, latest: RulesVersion | undefined): string {
  const found = latest === undefined ? 'no version' : `version ${latest.id}`;
  const wanted = expected === 0 ? 'no version' : `version ${expected}`;
  return `Other rules were published in the meantime: expected ${wanted}, found ${found}. Load them, then publish again.`;
}
