import { addressLayers } from '../platform/address-layers.ts';
import { RecentMap } from '../platform/recent-map.ts';
import { type Rate, TokenBucket } from '../platform/token-bucket.ts';

/** How many rejected requests of one project are recorded in one burst, and then per second. */
const PROJECT_RATE = { burst: 1_000, perSecond: 1 };

/** The share of one network in them, so that the requests of others are recorded too. */
const NETWORK_RATE = { burst: PROJECT_RATE.burst / 5, perSecond: PROJECT_RATE.perSecond / 5 };

/** Maximum numbers of projects and networks that are counted. */
const MAX_PROJECTS = 1_000;
const MAX_NETWORKS = 10_000;

/**
 * Limits how many rejected requests of each project, and of each network in a project, are recorded, so that they do not
 * displace other events.
 */
export class RejectionBudget {
  readonly #elapsedMs: () => number;
  readonly #projects = new RecentMap<TokenBucket>(MAX_PROJECTS);
  readonly #networks = new RecentMap<TokenBucket>(MAX_NETWORKS);

  constructor(elapsedMs: () => number) {
    this.#elapsedMs = elapsedMs;
  }

  /**
   * Returns whether a rejected request is recorded, and counts it. Events that the server itself causes have no address,
   * and count for their project only.
   */
  take(projectId: string | null, address: string): boolean {
    const project = this.#bucketOf(this.#projects, JSON.stringify(projectId), PROJECT_RATE);
    const { site } = addressLayers(address);
    const network =
      site === ''
        ? undefined
        : this.#bucketOf(this.#networks, JSON.stringify([projectId, site]), NETWORK_RATE);
    const nowMs = this.#elapsedMs();
    // A request over the limit of its network takes nothing from the others.
    if (network?.hasToken(nowMs) === false || !project.take(nowMs)) return false;
    return network?.take(nowMs) ?? true;
  }

  #bucketOf(buckets: RecentMap<TokenBucket>, key: string, rate: Rate): TokenBucket {
    const bucket = buckets.find(key) ?? new TokenBucket(rate, this.#elapsedMs());
    buckets.write(key, bucket);
    return bucket;
  }
}
