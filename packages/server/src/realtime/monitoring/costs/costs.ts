import type {
  AccountCost,
  ActivityCosts,
  Cost,
  CostAccount,
  CostKind,
  PathCost,
} from '@hearth/core/api/activity.ts';
import type { RuleNode } from '@hearth/core/rules/evaluate/rule-set.ts';
import type { Key } from '@hearth/core/tree/key.ts';
import { isMemberRequest, type Principal } from '../../../access/principal.ts';
import { identitySummary } from '../connections.ts';
import { pathTemplate } from '../hot-paths.ts';

/** Number of events of one kind per second that are all counted. Of further events, one of `INTERVAL` is counted. */
const MAX_COUNTED_EXACTLY = 50;

/**
 * A prime number. Otherwise, if a client repeats a few operations in order, the same operation could be counted each
 * time.
 */
const INTERVAL = 251;

/** Chooses the events that are counted. */
export class CostSampler {
  #events = 0;

  /** Returns how many events the next event represents; 0 if it is not counted. */
  next(): number {
    this.#events += 1;
    if (this.#events <= MAX_COUNTED_EXACTLY) return 1;
    return this.#events % INTERVAL === 0 ? INTERVAL : 0;
  }

  /** Starts a new second. */
  tick(): void {
    this.#events = 0;
  }
}

/** Maximum number of rows of one kind that a period has. Beyond it, the rows with the lowest costs are combined. */
const MAX_ROWS = 200;

/** For each figure, the number of rows with the highest values that remain when rows are combined. */
const KEPT_OF_FIGURE = 40;

/** Length of a period, in ms. The costs of the last two periods are kept. */
const PERIOD_MS = 600_000;

interface Sum {
  events: number;
  sentBytes: number;
  ms: number;
}

const FIGURES = ['events', 'sentBytes', 'ms'] as const satisfies readonly (keyof Sum)[];

function addTo(sum: Sum, { events, sentBytes, ms }: Cost): void {
  sum.events += events;
  sum.sentBytes += sentBytes;
  sum.ms += ms;
}

/** Costs by name, of which the highest are known exactly. Rows with low costs are combined when there are too many. */
class CostRows {
  readonly #rows = new Map<string, Sum>();
  readonly #rest: Sum = { events: 0, sentBytes: 0, ms: 0 };

  add(name: string, cost: Cost): void {
    const row = this.#rows.get(name);
    if (row !== undefined) {
      addTo(row, cost);
      return;
    }
    if (this.#rows.size >= MAX_ROWS) this.#combineLowest();
    this.#rows.set(name, { events: cost.events, sentBytes: cost.sentBytes, ms: cost.ms });
  }

  addAllTo(rows: Map<string, Sum>, rest: Sum): void {
    for (const [name, cost] of this.#rows) {
      const row = rows.get(name);
      if (row === undefined) rows.set(name, { ...cost });
      else addTo(row, cost);
    }
    addTo(rest, this.#rest);
  }

  #combineLowest(): void {
    const kept = new Set<string>();
    for (const figure of FIGURES) {
      const sorted = [...this.#rows].sort(([, a], [, b]) => b[figure] - a[figure]);
      for (const [name] of sorted.slice(0, KEPT_OF_FIGURE)) kept.add(name);
    }
    for (const [name, cost] of this.#rows)
      if (!kept.has(name)) {
        addTo(this.#rest, cost);
        this.#rows.delete(name);
      }
  }
}

/** The costs that arose in one period. */
interface Period {
  readonly paths: CostRows;
  readonly accounts: CostRows;
  /** `null` until the first second ends. */
  sinceMs: number | null;
}

function openPeriod(sinceMs: number | null): Period {
  return { paths: new CostRows(), accounts: new CostRows(), sinceMs };
}

/** The kind, path and query of operations to which a cost is charged. */
export interface CostedPath {
  readonly kind: CostKind;
  readonly path: readonly Key[];
  /** See `queryShape`. */
  readonly query: string | null;
}

/**
 * The costs of listens, requests and rules of one database in the last 10 to 20 minutes, by path and by principal. Only
 * sampled events are counted, with the weight of all of them, so that counting takes almost no time.
 */
export class DatabaseCosts {
  readonly requests = new CostSampler();
  readonly broadcasts = new CostSampler();
  readonly decisions = new CostSampler();
  #current = openPeriod(null);
  #previous: Period | undefined;

  /** Adds the cost of operations at a path, under the rules of the database. */
  addToPath({ kind, path, query }: CostedPath, rules: RuleNode, cost: Cost): void {
    this.#current.paths.add(JSON.stringify([kind, pathTemplate(path, rules), query]), cost);
  }

  addToAccount(principal: Principal, cost: Cost): void {
    this.#current.accounts.add(JSON.stringify(accountOf(principal)), cost);
  }

  /** Ends one second. Must be called every second. */
  tick(nowMs: number): void {
    this.requests.tick();
    this.broadcasts.tick();
    this.decisions.tick();
    this.#current.sinceMs ??= nowMs;
    const ageMs = nowMs - this.#current.sinceMs;
    if (ageMs >= 0 && ageMs < PERIOD_MS) return;
    this.#previous = ageMs < 2 * PERIOD_MS && ageMs >= 0 ? this.#current : undefined;
    this.#current = openPeriod(nowMs);
  }

  /** Returns the costs, at most `limit` of paths and of accounts. */
  read(limit: number): ActivityCosts {
    const periods = this.#previous === undefined ? [this.#current] : [this.#previous, this.#current];
    const paths = listRows(
      periods.map((period) => period.paths),
      limit,
    );
    const accounts = listRows(
      periods.map((period) => period.accounts),
      limit,
    );
    return {
      sinceMs: periods[0]?.sinceMs ?? null,
      paths: paths.rows.map(([name, cost]): PathCost => {
        const [kind, path, query] = JSON.parse(name) as [CostKind, string, string | null];
        return { kind, path, query, ...cost };
      }),
      accounts: accounts.rows.map(
        ([name, cost]): AccountCost => ({ account: JSON.parse(name) as CostAccount, ...cost }),
      ),
      otherPaths: paths.rest,
      otherAccounts: accounts.rest,
    };
  }
}

function accountOf(principal: Principal): CostAccount {
  return isMemberRequest(principal) ? { kind: 'member' } : identitySummary(principal);
}

/** Returns the sums of all periods: the rows that have the highest figures, most bytes first, and the rest. */
function listRows(
  periods: readonly CostRows[],
  limit: number,
): { readonly rows: readonly (readonly [name: string, cost: Cost])[]; readonly rest: Cost } {
  const sums = new Map<string, Sum>();
  const rest: Sum = { events: 0, sentBytes: 0, ms: 0 };
  for (const period of periods) period.addAllTo(sums, rest);
  const kept = new Set<string>();
  const sorted = FIGURES.map((figure) => [...sums].sort(([, a], [, b]) => b[figure] - a[figure]));
  // Takes the next row of each figure in turn, until there are enough rows.
  for (let rank = 0; rank < sums.size && kept.size < limit; rank++)
    for (const rows of sorted) {
      const name = rows[rank]?.[0];
      if (name !== undefined && kept.size < limit) kept.add(name);
    }
  for (const [name, cost] of sums) if (!kept.has(name)) addTo(rest, cost);
  const rows = [...sums].filter(([name]) => kept.has(name)).sort(([, a], [, b]) => b.sentBytes - a.sentBytes);
  return { rows: rows.map(([name, cost]) => [name, rounded(cost)] as const), rest: rounded(rest) };
}

function rounded({ events, sentBytes, ms }: Cost): Cost {
  return { events: Math.round(events), sentBytes: Math.round(sentBytes), ms: Math.round(ms * 100) / 100 };
}
