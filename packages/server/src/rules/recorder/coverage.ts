import { type EvaluateRule, findDeniedRead, findDeniedWrite } from '@hearth/core/rules/evaluate/decide.ts';
import type { RuleSet } from '@hearth/core/rules/evaluate/rule-set.ts';
import { Coverage, type RuleCoverage } from '@hearth/core/rules/explain/coverage.ts';
import type { AuthorizationRequest, DecidedOperation } from '../../access/authorization-request.ts';
import type { Clock } from '../../platform/clock.ts';
import { TokenBucket } from '../../platform/token-bucket.ts';
import type { TransactionScheduler } from '../../storage/transaction/scheduler.ts';
import type { WriteTransaction } from '../../storage/transaction/transaction.ts';

export interface CoverageRecorderOptions {
  readonly scheduler: TransactionScheduler;
  readonly clock: Clock;
  /** Returns the current rules of a database. */
  readonly findRules: (transaction: WriteTransaction, database: string) => RuleSet;
}

/** The coverage of a database's current rules since they were published or the server started. */
export interface LiveCoverage {
  readonly source: string;
  readonly rules: readonly RuleCoverage[];
  /** Number of operations that were not counted, because the rate was too high. */
  readonly sampledOut: number;
}

/**
 * Counting costs about as much as the decision itself. These limits count all operations of a test suite, but
 * only a part of a flood.
 */
const RATE = { perSecond: 1_000, burst: 10_000 };

/** Maximum number of rules that are evaluated again for one operation. Further rules are not counted. */
const MAX_RULES = 1_000;

/**
 * Maximum number of databases with counts. When there are more, the counts of the least recently used database are
 * removed.
 */
const MAX_DATABASES = 100;

interface Counted {
  readonly coverage: Coverage;
  sampledOut: number;
}

/** Counts the results of the current rules, in memory only, by deciding operations again. */
export class CoverageRecorder {
  readonly #options: CoverageRecorderOptions;
  readonly #bucket: TokenBucket;
  /** In the order of their last use. */
  readonly #counted = new Map<string, Counted>();
  #lastUsed: Counted | undefined;

  constructor(options: CoverageRecorderOptions) {
    this.#options = options;
    this.#bucket = new TokenBucket(RATE, options.clock.elapsedMs());
  }

  /** Counts an operation. Must be called in its transaction, before the operation changes data. */
  count(database: string, { rules, operation }: AuthorizationRequest): void {
    const counted = this.#use(database, rules);
    if (!this.#bucket.take(this.#options.clock.elapsedMs())) counted.sampledOut++;
    else countOnce(counted.coverage.rules, operation);
  }

  /** Returns the coverage of the current rules. */
  async read(database: string): Promise<LiveCoverage> {
    const { scheduler, findRules } = this.#options;
    const rules = await scheduler.request((transaction) => findRules(transaction, database));
    const { coverage, sampledOut } = this.#find(database, rules);
    return { source: rules.source, rules: coverage.list(), sampledOut };
  }

  /** Returns the counts of these rules. Counts start again when the rules change. */
  #find(database: string, rules: RuleSet): Counted {
    const known = this.#counted.get(database);
    if (known?.coverage.rules.source === rules.source) return known;
    return { coverage: new Coverage(rules), sampledOut: 0 };
  }

  #use(database: string, rules: RuleSet): Counted {
    const counted = this.#find(database, rules);
    // Usually the same database is used again, and moving it costs more than this check.
    if (counted === this.#lastUsed) return counted;
    this.#counted.delete(database);
    this.#counted.set(database, counted);
    this.#lastUsed = counted;
    const [oldest] = this.#counted.keys();
    if (this.#counted.size > MAX_DATABASES && oldest !== undefined) this.#counted.delete(oldest);
    return counted;
  }
}

function countOnce(rules: RuleSet, operation: DecidedOperation): void {
  let left = MAX_RULES;
  // A rule that is not evaluated counts as false, so the evaluation ends soon.
  const holds: EvaluateRule = (rule, scope) => left-- > 0 && rule.evaluate(scope) === true;
  if (operation.kind === 'read') findDeniedRead(rules, operation.read, holds);
  else findDeniedWrite(rules, operation.write, holds);
}
