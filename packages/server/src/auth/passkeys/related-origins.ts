import type { Clock } from '../../platform/clock.ts';
import type { Projects } from '../projects/projects.ts';
import { MAX_RELATED_ORIGINS, relatedOrigins, relyingPartyOf } from './relying-party.ts';

/** How long the list is cached, in ms. */
const CACHE_MS = 60_000;
/** Number of projects that are read at a time. */
const PAGE = 100;
/** Maximum number of projects whose domains are listed. */
const MAX_PROJECTS = 1_000;

/**
 * The origins outside this server's host whose pages may use passkeys for that host, of all projects that use it. The
 * list is cached, because every client may request it.
 */
export class RelatedOrigins {
  readonly #projects: Projects;
  readonly #clock: Clock;
  readonly #isDevelopment: boolean;
  #cached:
    | { readonly origin: string; readonly untilMs: number; readonly list: readonly string[] }
    | undefined;

  constructor(projects: Projects, clock: Clock, isDevelopment: boolean) {
    this.#projects = projects;
    this.#clock = clock;
    this.#isDevelopment = isDevelopment;
  }

  /** Returns the list. `origin` is the origin of this server. */
  list(origin: string): readonly string[] {
    const nowMs = this.#clock.elapsedMs();
    if (this.#cached?.origin === origin && this.#cached.untilMs > nowMs) return this.#cached.list;
    const list = [...new Set(this.#read(origin))].slice(0, MAX_RELATED_ORIGINS);
    this.#cached = { origin, untilMs: nowMs + CACHE_MS, list };
    return list;
  }

  *#read(origin: string): Generator<string> {
    const host = this.#isDevelopment ? 'localhost' : new URL(origin).hostname;
    let after: string | undefined;
    for (let count = 0; count < MAX_PROJECTS; count += PAGE) {
      const ids = this.#projects.ids(after, PAGE);
      for (const id of ids) {
        const project = this.#projects.find(id);
        if (project === undefined || !project.settings.passkeys.isEnabled) continue;
        const party = relyingPartyOf({ project, origin }, { isDevelopment: this.#isDevelopment });
        if (party.id === host) yield* relatedOrigins(party);
      }
      after = ids.at(-1);
      if (ids.length < PAGE) return;
    }
  }
}
