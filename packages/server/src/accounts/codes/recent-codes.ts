import type { CodePurpose } from './code-purpose.ts';

/** Codes kept; then the oldest goes. */
const MAX_CODES = 1_000;

/** A code that was handed out, in the clear. */
export interface RecentCode {
  readonly projectId: string;
  readonly code: string;
  readonly link: string;
  readonly purpose: CodePurpose;
}

/** Remembers codes, so that tests of apps can read them as from the official emulator. Development mode only. */
export class RecentCodes {
  readonly #codes = new Map<string, RecentCode>();

  note(recent: RecentCode): void {
    this.#codes.set(recent.code, recent);
    if (this.#codes.size > MAX_CODES)
      for (const oldest of this.#codes.keys().take(1)) this.#codes.delete(oldest);
  }

  /** Those of a project, the oldest first; some may be used by now. */
  list(projectId: string): readonly RecentCode[] {
    return [...this.#codes.values()].filter((recent) => recent.projectId === projectId);
  }
}
