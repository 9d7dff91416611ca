import { RecentMap } from '../../platform/recent-map.ts';
import type { AppCheckService } from './app-check-settings.ts';

/** The kinds of requests that are counted. */
export const COUNTED_KINDS = ['valid', 'missing', 'invalid'] as const;
export type CountedKind = (typeof COUNTED_KINDS)[number];

/** A request that is counted. */
export interface CountedRequest {
  readonly projectId: string;
  readonly service: AppCheckService;
  /** The app of a valid token; an empty text for other requests. */
  readonly app: string;
  readonly kind: CountedKind;
}

/** The number of requests of one kind since the start of the server. */
export interface RequestCount extends Omit<CountedRequest, 'projectId'> {
  count: number;
  /** Time of the latest request. */
  lastAtMs: number;
}

/** The number of requests of one kind of all projects. */
export type RequestTotal = Pick<RequestCount, 'service' | 'kind'> & { readonly count: number };

/** Maximum number of combinations of project, service, app and kind that are counted. */
const MAX_COUNTED = 10_000;

/** Counts requests to services that check App Check tokens. A restart clears the counts. */
export class AppCheckCounts {
  readonly #counts = new RecentMap<RequestCount>(MAX_COUNTED);
  readonly #nowMs: () => number;
  /** One for each pair of service and kind. */
  readonly #totals = new Map<string, { -readonly [Name in keyof RequestTotal]: RequestTotal[Name] }>();

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  record({ projectId, ...counted }: CountedRequest): void {
    this.#addToTotal(counted);
    const key = `${projectId}\0${counted.service}\0${counted.kind}\0${counted.app}`;
    let known = this.#counts.find(key);
    if (known === undefined) {
      known = { ...counted, count: 0, lastAtMs: 0 };
      this.#counts.write(key, known);
    }
    known.count++;
    known.lastAtMs = this.#nowMs();
  }

  /** Returns the number of requests of all projects by service and kind since the start of the server. */
  totals(): readonly RequestTotal[] {
    return [...this.#totals.values()];
  }

  /** Returns the counts of a project, in order of service, kind and app. */
  list(projectId: string): readonly RequestCount[] {
    const keys = this.#counts.listKeys(`${projectId}\0`).toSorted();
    return keys.flatMap((key) => this.#counts.find(key) ?? []);
  }

  #addToTotal({ service, kind }: Omit<CountedRequest, 'projectId'>): void {
    const key = `${service} ${kind}`;
    const known = this.#totals.get(key);
    if (known === undefined) this.#totals.set(key, { service, kind, count: 1 });
    else known.count++;
  }
}
