import type { AuditRecord } from './audit-entry.ts';

/** Events of one project that wait to be written, oldest first. */
export interface AuditBatch {
  readonly projectId: string | null;
  readonly records: readonly AuditRecord[];
}

/** Most events that wait, of all projects together. */
const MAX_WAITING = 10_000;

/** Events that wait to be written, in bounds. */
export class AuditBuffer {
  readonly #waiting = new Map<string | null, AuditRecord[]>();
  #count = 0;

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  get isFull(): boolean {
    return this.#count >= MAX_WAITING;
  }

  add(projectId: string | null, record: AuditRecord): void {
    const waiting = this.#waiting.get(projectId);
    if (waiting === undefined) this.#waiting.set(projectId, [record]);
    else waiting.push(record);
    this.#count += 1;
  }

  /** Takes at most `limit` events of one project out; projects take turns. `undefined` if nothing waits. */
  take(limit: number): AuditBatch | undefined {
    for (const [projectId, waiting] of this.#waiting) {
      const records = waiting.splice(0, limit);
      this.#count -= records.length;
      this.#waiting.delete(projectId);
      if (waiting.length > 0) this.#waiting.set(projectId, waiting);
      return { projectId, records };
    }
    return undefined;
  }

  /** Puts back what could not be written. */
  putBack({ projectId, records }: AuditBatch): void {
    this.#waiting.set(projectId, [...records, ...(this.#waiting.get(projectId) ?? [])]);
    this.#count += records.length;
  }
}
