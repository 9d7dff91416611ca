import { createHash, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';
import { MANY_CLIENTS } from '../../platform/resource-pool.ts';
import type { ProviderAssertion } from '../providers/assertion.ts';
import type { AuthType, WaitingApp } from './start-request.ts';

/** A sign-in that a user has begun at a provider and not ended. */
export interface Flow {
  readonly projectId: string;
  readonly providerId: string;
  /** Identifies the app to the provider for which the flow was started: a client ID or an entity ID. */
  readonly clientId: string;
  readonly app: WaitingApp;
  /** The address to which the provider returns, exactly as it was sent. */
  readonly redirectUri: string;
  /** What the response must repeat: the nonce of an ID token, or the end of the ID of a SAML request. */
  readonly nonce: string;
  readonly codeVerifier: string;
  /** The hash of the cookie of the browser in which the flow began. */
  readonly browserHash: string;
  /** The network of the client. */
  readonly network: string;
}

/** What a provider has stated at the end of a flow. */
export interface FlowResult {
  readonly projectId: string;
  readonly apiKey: string;
  readonly authType: AuthType;
  /** The hash of a text that only the app and its page know. */
  readonly sessionHash: string;
  readonly assertion: ProviderAssertion;
}

interface Timed<T> {
  readonly value: T;
  readonly untilMs: number;
}

/** How long a user may stay at the provider, in ms. */
const FLOW_MS = 600_000;
/** How long an app may wait before it uses a result, in ms. */
const RESULT_MS = 300_000;
const MAX_FLOWS = 10_000;
const MAX_FLOWS_OF_PROJECT = 2_000;
const MAX_FLOWS_OF_NETWORK = 50;
const MAX_RESULTS = 1_000;
const KEY_BYTES = 32;

export interface FlowStoreOptions {
  readonly clock: Pick<Clock, 'elapsedMs'>;
  readonly randomBytes: (count: number) => Uint8Array;
}

/**
 * The flows that have begun, and the results that no app has used yet, in memory: a request to start a flow needs no
 * credential, so it must not write to the disk. After a restart, users start again. Everything is used once.
 */
export class FlowStore {
  readonly #options: FlowStoreOptions;
  /** In the order in which they expire. */
  readonly #flows = new Map<string, Timed<Flow>>();
  readonly #results = new Map<string, Timed<FlowResult>>();

  constructor(options: FlowStoreOptions) {
    this.#options = options;
  }

  /** Stores a flow and returns its `state`; `undefined` if too many have begun. */
  begin(flow: Flow): string | undefined {
    this.#removeExpired();
    const flows = [...this.#flows.values()].map(({ value }) => value);
    const ofNetwork = flows.filter(({ network }) => network === flow.network).length;
    if (flow.network !== MANY_CLIENTS && ofNetwork >= MAX_FLOWS_OF_NETWORK) return undefined;
    const ofProject = flows.filter(({ projectId }) => projectId === flow.projectId).length;
    if (ofProject >= MAX_FLOWS_OF_PROJECT || flows.length >= MAX_FLOWS) return undefined;
    const state = this.randomText();
    this.#flows.set(hashOf(state), { value: flow, untilMs: this.#nowMs() + FLOW_MS });
    return state;
  }

  /** Returns the flow of a `state` and removes it; `undefined` if there is none, or it is too old. */
  take(state: string): Flow | undefined {
    this.#removeExpired();
    return takeFrom(this.#flows, hashOf(state));
  }

  /** Stores a result and returns the text with which the app gets it. Drops the oldest result if there are too many. */
  addResult(result: FlowResult): string {
    this.#removeExpired();
    const [oldest] = this.#results.keys();
    if (this.#results.size >= MAX_RESULTS && oldest !== undefined) this.#results.delete(oldest);
    const ref = this.randomText();
    this.#results.set(hashOf(ref), { value: result, untilMs: this.#nowMs() + RESULT_MS });
    return ref;
  }

  /** Returns a result and removes it, so that a second use fails. */
  takeResult(ref: string): FlowResult | undefined {
    this.#removeExpired();
    return takeFrom(this.#results, hashOf(ref));
  }

  /** Returns a text that cannot be guessed. */
  randomText(): string {
    return Buffer.from(this.#options.randomBytes(KEY_BYTES)).toString('base64url');
  }

  #nowMs(): number {
    return this.#options.clock.elapsedMs();
  }

  #removeExpired(): void {
    const nowMs = this.#nowMs();
    for (const entries of [this.#flows, this.#results])
      for (const [key, { untilMs }] of entries) {
        if (untilMs > nowMs) break;
        entries.delete(key);
      }
  }
}

function takeFrom<T>(entries: Map<string, Timed<T>>, key: string): T | undefined {
  const found = entries.get(key);
  entries.delete(key);
  return found?.value;
}

/** Returns a hash of a secret. A lookup by the hash takes no time that depends on the secret. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Returns whether a text has the hash, in a time that does not depend on the text. */
export function hasHash(text: string, hash: string): boolean {
  return timingSafeEqual(Buffer.from(hashOf(text)), Buffer.from(hash));
}
