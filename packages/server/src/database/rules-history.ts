import { Refusal } from '@hearth/core/fault/refusal.ts';
import { parseRules } from '@hearth/core/rules/parse-rules.ts';
import type { RuleSet } from '@hearth/core/rules/rule-set.ts';
import type { Committer } from '../commit/committer.ts';
import type { Turn } from '../commit/turn.ts';
import type { Identity } from '../identity/identity.ts';
import { mustBeAdmin } from '../identity/must-be-admin.ts';
import { mustSeeAll } from '../identity/must-see-all.ts';
import { findRules } from './database-directory.ts';
import type { PublicationRequest } from './publication-request.ts';
import { publisherOf } from './publisher-of.ts';
import {
  addVersion,
  findLatestVersion,
  findVersion,
  findVersionSource,
  listVersions,
  type RuleVersion,
} from './rule-versions.ts';
import { unifiedDifference } from './unified-difference.ts';

/** One publication of rules, and what it changed. */
export interface PublishedRules extends RuleVersion {
  readonly source: string;
  /** From the version before in the unified format; `null` if there is none or it is not kept. */
  readonly difference: string | null;
}

/** A publication whose author is known. */
type Publication = PublicationRequest & Required<Pick<PublicationRequest, 'author'>>;

export interface RulesHistoryOptions {
  readonly committer: Committer;
  /** Stores rules and has everything after decided by them. */
  readonly putInForce: (turn: Turn, database: string, rules: RuleSet) => void;
}

/**
 * Publishes rules, and keeps what was published. A publication happens in one turn: everything else is decided before it or
 * after it. For administrators, and to look at for those who see all: others are refused with `auth/admin-only`.
 */
export class RulesHistory {
  readonly #options: RulesHistoryOptions;

  constructor(options: RulesHistoryOptions) {
    this.#options = options;
  }

  /** The versions from the newest on, or from the newest below `before`, at most `limit`. */
  list(
    identity: Identity,
    database: string,
    before: number | null,
    limit: number,
  ): Promise<readonly RuleVersion[]> {
    return this.#look(identity, (turn) => listVersions(turn.tx, database, before, limit));
  }

  /** One version; refuses with `rules/no-version` if it is not kept. */
  async find(identity: Identity, database: string, id: number): Promise<PublishedRules> {
    const { version, source, sourceBefore } = await this.#look(identity, ({ tx }) => ({
      version: findVersion(tx, database, id),
      source: findVersionSource(tx, database, id),
      sourceBefore: findVersionSource(tx, database, id - 1),
    }));
    if (version === undefined || source === undefined) throw new Refusal('rules/no-version');
    const difference =
      sourceBefore === undefined
        ? null
        : unifiedDifference(
            { name: `version ${id - 1}`, text: sourceBefore },
            { name: `version ${id}`, text: source },
          );
    return { ...version, source, difference };
  }

  /** Publishes rules and returns the version; refuses with `rules/invalid` or `rules/outdated`. */
  async publish(
    identity: Identity,
    database: string,
    source: string,
    request: PublicationRequest,
  ): Promise<number> {
    mustBeAdmin(identity);
    const rules = parseRules(source);
    return this.#options.committer.request((turn) =>
      this.publishInTurn(turn, database, rules, { author: publisherOf(identity), ...request }),
    );
  }

  /** Publishes the source of a version that is kept once more, and returns the version that this makes. */
  async rollBack(
    identity: Identity,
    database: string,
    to: number,
    request: PublicationRequest,
  ): Promise<number> {
    mustBeAdmin(identity);
    const source = await this.#look(identity, ({ tx }) => findVersionSource(tx, database, to));
    if (source === undefined) throw new Refusal('rules/no-version');
    // What was valid once may not be for this program.
    const rules = parseRules(source);
    return this.#options.committer.request((turn) =>
      this.publishInTurn(turn, database, rules, { author: publisherOf(identity), ...request }, to),
    );
  }

  /** Publishes rules within a turn and returns the version. The source that is in force already makes no other one. */
  publishInTurn(
    turn: Turn,
    database: string,
    rules: RuleSet,
    { author, message, expected }: Publication,
    rolledBackTo: number | null = null,
  ): number {
    turn.mustBeWritable();
    const latest = findLatestVersion(turn.tx, database);
    const isInForce = findRules(turn.tx, database) === rules.source;
    if (!isInForce && expected !== undefined && expected !== (latest?.id ?? 0))
      throw new Refusal('rules/outdated', explainOutdated(expected, latest));
    const { id } =
      isInForce && latest !== undefined
        ? latest
        : addVersion(turn.tx, database, rules.source, {
            timeMs: turn.nowMs,
            author,
            message: message ?? null,
            rolledBackTo,
          });
    this.#options.putInForce(turn, database, rules);
    return id;
  }

  async #look<T>(identity: Identity, look: (turn: Turn) => T): Promise<T> {
    mustSeeAll(identity);
    return this.#options.committer.request(look);
  }
}

function explainOutdated(expected: number, latest: RuleVersion | undefined): string {
  const found = latest === undefined ? 'none' : `version ${latest.id}`;
  const wanted = expected === 0 ? 'none' : `version ${expected}`;
  return `Other rules were published meanwhile: in force is ${found}, not ${wanted}. Look at them, then publish again.`;
}
