import type { Clock } from '../../platform/clock.ts';
import type { HttpSend } from '../../platform/network/http-send.ts';
import { RecentMap } from '../../platform/recent-map.ts';
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
/** Maximum number of documents that are being fetched. */
const MAX_FETCHES = 32;
const BUSY_SEC = 5;

interface CachedDocument {
  /** `undefined` if the document was never fetched successfully. */
  readonly json: Claims | undefined;
  readonly fetchedAtMs: number;
  /** The last failure since then; `null` for none. */
  readonly failure: { readonly message: string; readonly atMs: number } | null;
}

/** The public documents of providers: discovery documents and keys. Keeps recent ones, and fetches each once at a time. */
export class ProviderDocuments {
  readonly #send: HttpSend;
  readonly #clock: Clock;
  readonly #cache = new RecentMap<CachedDocument>(MAX_DOCUMENTS, MAX_PROVIDER_URL_LENGTH);
  readonly #fetches = new Map<string, Promise<Claims>>();

  constructor(send: HttpSend, clock: Clock) {
    this.#send = send;
    this.#clock = clock;
  }

  /**
   * Returns a JSON document that is at most `maxAgeMs` old, or an older one while the provider cannot be reached. Returns
   * the same object until the document is fetched again. Throws a `ProviderFailure`, and an `AuthOverload` if too many
   * documents are being fetched.
   */
  async read(address: string, maxAgeMs: number = FRESH_MS): Promise<Claims> {
    const nowMs = this.#clock.elapsedMs();
    const cached = this.#cache.find(address);
    if (cached?.json !== undefined && nowMs - cached.fetchedAtMs < maxAgeMs) return cached.json;
    if (cached?.failure != null && nowMs - cached.failure.atMs < RETRY_MS)
      return orStale(cached, nowMs, new ProviderFailure(cached.failure.message, { isFresh: false }));
    try {
      return await this.#loadOnce(address);
    } catch (cause) {
      if (!(cause instanceof ProviderFailure)) throw cause;
      const last = this.#cache.find(address);
      return orStale(last, nowMs, cause);
    }
  }

  #loadOnce(address: string): Promise<Claims> {
    const running = this.#fetches.get(address);
    if (running !== undefined) return running;
    if (this.#fetches.size >= MAX_FETCHES) throw new AuthOverload(BUSY_SEC);
    const fetching = this.#load(address).finally(() => this.#fetches.delete(address));
    this.#fetches.set(address, fetching);
    return fetching;
  }

  async #load(address: string): Promise<Claims> {
    try {
      const json = await fetchJson(this.#send, requireProviderUrl(address));
      this.#cache.write(address, { json, fetchedAtMs: this.#clock.elapsedMs(), failure: null });
      return json;
    } catch (cause) {
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
