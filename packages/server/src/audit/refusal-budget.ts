interface Budget {
  left: number;
  atMs: number;
}

/** Refusals of one project that are written down at once, and per second. */
const BURST = 1_000;
const PER_SECOND = 1;

/** Most projects that are told apart; beyond, all of them begin anew. */
const MAX_PROJECTS = 1_000;

/** How many refusals of each project are written down, so that they do not push out what did happen. */
export class RefusalBudget {
  readonly #elapsedMs: () => number;
  readonly #budgets = new Map<string | null, Budget>();

  constructor(elapsedMs: () => number) {
    this.#elapsedMs = elapsedMs;
  }

  take(projectId: string | null): boolean {
    const nowMs = this.#elapsedMs();
    const budget = this.#budgetOf(projectId, nowMs);
    budget.left = Math.min(BURST, budget.left + ((nowMs - budget.atMs) / 1_000) * PER_SECOND);
    budget.atMs = nowMs;
    if (budget.left < 1) return false;
    budget.left -= 1;
    return true;
  }

  #budgetOf(projectId: string | null, nowMs: number): Budget {
    const known = this.#budgets.get(projectId);
    if (known !== undefined) return known;
    if (this.#budgets.size >= MAX_PROJECTS) this.#budgets.clear();
    const budget = { left: BURST, atMs: nowMs };
    this.#budgets.set(projectId, budget);
    return budget;
  }
}
