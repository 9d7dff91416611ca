import type { Clock } from '../../platform/clock.ts';
import type { HttpSend } from '../../platform/network/http-send.ts';
import { RecentMap } from '../../platform/recent-map.ts';
import { ResourcePool } from '../../platform/resource-pool.ts';
import { AuthOverload } from '../errors.ts';
import type { Claims } from '../tokens/jwt.ts';
import {
  fetchJson,
  MAX_PROVIDER_URL_LENGTH,
  ProviderFailure,
  requireProviderUrl,
} from './provider-requests.ts';

const MAX_DOCUMENTS = 400;
/** Time after which a document is fetched again. */
const FRESH_MS = 3_600_000;
/** Time during which a document is used while its provider cannot be reached. */
const STALE_MS = 86_400_000;
/** Time after a failure during which a document is not fetched again. */
const RETRY_MS = 10_000;
/** Time after which a fetch can be ended for another of the same project, in ms. */
const MAX_SLOW_MS = 1_000;
/** Maximum number of documents that are being fetched, and of those for one project. */
const MAX_FETCHES = 32;
const MAX_FETCHES_OF_PROJECT = 8;
const BUSY_SEC = 5;

interface CachedDocument {
  /** `undefined` if the document was never fetched successfully. */
  readonly json: Claims | undefined;
  readonly fetchedAtMs: number;
  /** The last failure since then; `null` for none. */
  readonly failure: { readonly message: string; readonly atMs: number } | null;
}

/** Reads public documents for one project. */
export interface DocumentReader {
  /**
   * Returns a JSON document that is at most `maxAgeMs` old, or an older one while the provider cannot be reached. Returns
   * the same object until the document is fetched again. Throws a `ProviderFailure`, and an `AuthOverload` if too many
   * documents are being fetched.
   */
  read(address: string, maxAgeMs?: number): Promise<Claims>;
}

/**
 * The public documents of providers: discovery documents and keys. Caches recent documents, and never fetches one twice
 * at the same time. If too many are being fetched, the slowest fetch of the project with the most fetches is ended, so
 * that a project whose providers do not answer does not block the others.
 */
export class ProviderDocuments {
  readonly #send: HttpSend;
  readonly #clock: Clock;
  readonly #cache = new RecentMap<CachedDocument>(MAX_DOCUMENTS, MAX_PROVIDER_URL_LENGTH);
  readonly #fetches = new Map<string, Promise<Claims>>();
  /** The places for fetches. Projects share them as networks share others. */
  readonly #places: ResourcePool;

  constructor(send: HttpSend, clock: Clock) {
    this.#send = send;
    this.#clock = clock;
    this.#places = new ResourcePool(
      { total: MAX_FETCHES, reserve: 0, ofNetwork: MAX_FETCHES_OF_PROJECT, idleMs: MAX_SLOW_MS, isAge: true },
      clock.elapsedMs,
    );
  }

  /** Returns a reader whose fetches count for a project. */
  for(projectId: string): DocumentReader {
    return { read: (address, maxAgeMs = FRESH_MS) => this.#read(address, maxAgeMs, projectId) };
  }

  async #read(address: string, maxAgeMs: number, projectId: string): Promise<Claims> {
    const nowMs = this.#clock.elapsedMs();
    const cached = this.#cache.find(address);
    if (cached?.json !== undefined && nowMs - cached.fetchedAtMs < maxAgeMs) return cached.json;
    if (cached?.failure != null && nowMs - cached.failure.atMs < RETRY_MS)
      return orStale(cached, nowMs, new ProviderFailure(cached.failure.message, { isFresh: false }));
    try {
      return await this.#loadOnce(address, projectId);
    } catch (cause) {
      if (!(cause instanceof ProviderFailure)) throw cause;
      const last = this.#cache.find(address);
      return orStale(last, nowMs, cause);
    }
  }

  #loadOnce(address: string, projectId: string): Promise<Claims> {
    const running = this.#fetches.get(address);
    if (running !== undefined) return running;
    const ended = new AbortController();
    const holder = { network: projectId, isPrivileged: false };
    const place = this.#places.take(holder, 1, () => ended.abort());
    if (place === undefined) throw new AuthOverload(BUSY_SEC);
    const fetching = this.#load(address, ended.signal).finally(() => {
      place.release();
      this.#fetches.delete(address);
    });
    this.#fetches.set(address, fetching);
    return fetching;
  }

  async #load(address: string, signal: AbortSignal): Promise<Claims> {
    try {
      const json = await fetchJson(
        (url, request) => this.#send(url, request, signal),
        requireProviderUrl(address),
      );
      this.#cache.write(address, { json, fetchedAtMs: this.#clock.elapsedMs(), failure: null });
      return json;
    } catch (cause) {
      if (signal.aborted) throw new AuthOverload(BUSY_SEC);
      if (!(cause instanceof ProviderFailure)) throw cause;
      const { json, fetchedAtMs = 0 } = this.#cache.find(address) ?? {};
      this.#cache.write(address, {
        json,
        fetchedAtMs,
        failure: { message: cause.message, atMs: this.#clock.elapsedMs() },
      });
      throw cause;
    }
  }
}

function orStale(cached: CachedDocument | undefined, nowMs: number, failure: ProviderFailure): Claims {
  if (cached?.json !== undefined && nowMs - cached.fetchedAtMs < STALE_MS) return cached.json;
  throw failure;
}
