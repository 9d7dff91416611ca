/** Most projects that are told apart; losses of others are counted for the server as a whole. */
const MAX_PROJECTS = 1_000;

/** How many events of each project could not be kept. */
export class LossCount {
  readonly #lost = new Map<string | null, number>();

  add(projectId: string | null): void {
    const isRoom = this.#lost.size < MAX_PROJECTS || this.#lost.has(projectId);
    const key = isRoom ? projectId : null;
    this.#lost.set(key, (this.#lost.get(key) ?? 0) + 1);
  }

  /** Begins anew. */
  takeAll(): readonly (readonly [projectId: string | null, count: number])[] {
    const all = [...this.#lost];
    this.#lost.clear();
    return all;
  }
}
