import { Coverage, type RuleCoverage } from '@hearth/core/rules/coverage.ts';
import type { RuleSet } from '@hearth/core/rules/rule-set.ts';
import { type Ask, findRefusedRead, findRefusedWrite } from '@hearth/core/rules/walk-rules.ts';
import type { Committer } from '../commit/committer.ts';
import type { Turn } from '../commit/turn.ts';
import type { AskedOperation, DecidedOperation } from '../denials/asked-operation.ts';
import { TokenBucket } from '../denials/token-bucket.ts';
import type { Clock } from '../ops/clock.ts';

export interface CoverageKeeperOptions {
  readonly committer: Committer;
  readonly clock: Clock;
  /** The rules of a database that are in force. */
  readonly findRules: (turn: Turn, database: string) => RuleSet;
}

/** What became of the rules of a database since they are in force. */
export interface LiveCoverage {
  readonly source: string;
  readonly rules: readonly RuleCoverage[];
  /** Operations that were not counted, because there were too many at a time. */
  readonly sampledOut: number;
}

/** Each costs about what it costs to decide it: so tests are counted to the last operation, and a flood is not. */
const RATE = { perSecond: 1_000, burst: 10_000 };

/** Most rules that are asked once more of one operation; what it would have asked after them is not counted. */
const MAX_RULES = 1_000;

/** Most databases of which something is counted; beyond, the one whose rules were asked longest ago is forgotten. */
const MAX_DATABASES = 100;

interface Counted {
  readonly coverage: Coverage;
  sampledOut: number;
}

/** Counts what the rules in force come to, in memory alone, by deciding operations once more. */
export class CoverageKeeper {
  readonly #options: CoverageKeeperOptions;
  readonly #bucket: TokenBucket;
  /** In the order in which they were last used. */
  readonly #counted = new Map<string, Counted>();
  #lastUsed: Counted | undefined;

  constructor(options: CoverageKeeperOptions) {
    this.#options = options;
    this.#bucket = new TokenBucket(RATE, options.clock.elapsedMs());
  }

  /** Counts an operation. To be called in its turn, before it has any effect. */
  count(database: string, { rules, operation }: AskedOperation): void {
    const counted = this.#use(database, rules);
    if (!this.#bucket.take(this.#options.clock.elapsedMs())) counted.sampledOut++;
    else countOnce(counted.coverage.rules, operation);
  }

  /** What the rules in force have come to. */
  async read(database: string): Promise<LiveCoverage> {
    const { committer, findRules } = this.#options;
    const rules = await committer.request((turn) => findRules(turn, database));
    const { coverage, sampledOut } = this.#find(database, rules);
    return { source: rules.source, rules: coverage.list(), sampledOut };
  }

  /** What is counted of these rules; other rules begin anew. */
  #find(database: string, rules: RuleSet): Counted {
    const known = this.#counted.get(database);
    if (known?.coverage.rules.source === rules.source) return known;
    return { coverage: new Coverage(rules), sampledOut: 0 };
  }

  #use(database: string, rules: RuleSet): Counted {
    const counted = this.#find(database, rules);
    // Mostly it is one database that is used, and moving it costs more than looking.
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
  // To hear no from all that follow ends the walk.
  const holds: Ask = (rule, scope) => left-- > 0 && rule.evaluate(scope) === true;
  if (operation.kind === 'read') findRefusedRead(rules, operation.read, holds);
  else findRefusedWrite(rules, operation.write, holds);
}
