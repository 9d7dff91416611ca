import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';
import type { ProviderAssertion } from '../providers/assertion.ts';
import type { AccountScope } from '../tenants/scope.ts';
import { hashOf, OneTimeEntries, randomText } from './one-time-entries.ts';
import type { AuthType, WaitingApp } from './start-request.ts';

/** The fields that every flow has. */
export interface BasicFlow {
  /** The scope in which the user will have an account. */
  readonly scope: AccountScope;
  readonly providerId: string;
  /** Identifies the app to the provider for which the flow was started: a client ID or an entity ID. */
  readonly clientId: string;
  /** The address to which the provider redirects the user, exactly as it was sent. */
  readonly redirectUri: string;
  /** The text that the response must repeat: the nonce of an ID token, or the end of the ID of a SAML request. */
  readonly nonce: string;
  readonly codeVerifier: string;
  /** The organization at Microsoft to which the app limits the sign-in; `null` for none. */
  readonly organization: string | null;
  /** The network of the client. */
  readonly network: string;
}

/** A sign-in in a browser. The provider returns to the handler, which passes the result to the app. */
export interface PageFlow extends BasicFlow {
  readonly kind: 'page';
  readonly app: WaitingApp;
  /** The hash of the cookie of the browser in which the flow began. */
  readonly browserHash: string;
}

/** A sign-in that a client of the API began. The provider returns to the client, which passes the response on. */
export interface ClientFlow extends BasicFlow {
  readonly kind: 'client';
  readonly apiKey: string;
  /** The hash of a text that only the client knows. */
  readonly sessionHash: string;
  /** A text that the client gets back with the result. */
  readonly context: string | null;
}

/** A sign-in that a user has begun at a provider and not ended. */
export type Flow = PageFlow | ClientFlow;

/** The result of a flow: the statement of the provider about the user. */
export interface FlowResult {
  readonly scope: AccountScope;
  readonly apiKey: string;
  readonly authType: AuthType;
  /** The hash of a text that only the app and its page know. */
  readonly sessionHash: string;
  readonly assertion: ProviderAssertion;
}

/** How long a user may stay at the provider, in ms. */
const FLOW_MS = 600_000;
/** How long an app may wait before it uses a result, in ms. */
const RESULT_MS = 300_000;
/** Maximum number of flows, of those of one project, and of those of one network. The oldest are dropped. */
const MAX_FLOWS = 10_000;
const MAX_FLOWS_OF_PROJECT = 2_000;
const MAX_FLOWS_OF_NETWORK = 50;
const MAX_RESULTS = 1_000;
const MAX_RESULTS_OF_PROJECT = 500;
const MAX_RESULTS_OF_NETWORK = 50;
const KEY_BYTES = 32;
/** Bytes of the random part and of the MAC of a nonce. */
const NONCE_BYTES = 16;

export interface FlowStoreOptions {
  readonly clock: Pick<Clock, 'elapsedMs'>;
  readonly randomBytes: (count: number) => Uint8Array;
}

/**
 * The flows that have begun, and the results that no app has used yet. They are in memory, because a request to start a
 * flow needs no credential and therefore must not write to the disk. After a restart, users start again. Each flow and
 * each result is used once.
 */
export class FlowStore {
  readonly #options: FlowStoreOptions;
  readonly #flows: OneTimeEntries<Flow>;
  readonly #results: OneTimeEntries<FlowResult>;
  readonly #nonceKey: Uint8Array;

  constructor(options: FlowStoreOptions) {
    this.#options = options;
    this.#nonceKey = options.randomBytes(KEY_BYTES);
    this.#flows = new OneTimeEntries({
      ...options,
      lifetimeMs: FLOW_MS,
      all: { total: MAX_FLOWS, ofNetwork: MAX_FLOWS_OF_NETWORK },
      ofProject: { total: MAX_FLOWS_OF_PROJECT, ofNetwork: MAX_FLOWS_OF_NETWORK },
    });
    this.#results = new OneTimeEntries({
      ...options,
      lifetimeMs: RESULT_MS,
      all: { total: MAX_RESULTS, ofNetwork: MAX_RESULTS_OF_NETWORK },
      ofProject: { total: MAX_RESULTS_OF_PROJECT, ofNetwork: MAX_RESULTS_OF_NETWORK },
    });
  }

  /** Stores a flow and returns its `state`; `undefined` if other networks of its IPv6 site hold the share. */
  begin(flow: Flow): string | undefined {
    const { scope, network } = flow;
    return this.#flows.add(flow, { projectId: scope.projectId, network });
  }

  /** Returns the flow in a browser of a `state` and removes it; `undefined` if there is none, or it is too old. */
  takeOfPage(state: string): PageFlow | undefined {
    const flow = this.#flows.find(state);
    if (flow?.kind !== 'page') return undefined;
    this.cancel(state);
    return flow;
  }

  /**
   * Returns the flow of a client of the API with a `state` and removes it; `undefined` if there is none, or it is too
   * old.
   */
  takeOfClient(state: string): ClientFlow | undefined {
    const flow = this.#flows.find(state);
    if (flow?.kind !== 'client') return undefined;
    this.cancel(state);
    return flow;
  }

  /** Removes a flow. */
  cancel(state: string): void {
    this.#flows.take(state);
  }

  /**
   * Stores a result and returns the text with which the app gets it; `undefined` if other networks of its IPv6 site
   * hold the share.
   */
  addResult(result: FlowResult, network: string): string | undefined {
    return this.#results.add(result, { projectId: result.scope.projectId, network });
  }

  /** Returns a result and removes it, so that a second use fails. */
  takeResult(ref: string): FlowResult | undefined {
    return this.#results.take(ref);
  }

  /** Returns a text that cannot be guessed. */
  randomText(): string {
    return randomText(this.#options.randomBytes);
  }

  /** Returns a nonce for an ID token: random bytes, and a MAC of them. */
  createNonce(): string {
    const random = this.#options.randomBytes(NONCE_BYTES);
    return Buffer.concat([random, this.#macOf(random)]).toString('base64url');
  }

  /**
   * Returns whether this server created a nonce since its start. The ID token with it was issued at the end of a flow, and
   * passed to the app, which may use it as a credential and does not know the nonce.
   */
  isOwnNonce(nonce: string): boolean {
    const bytes = Buffer.from(nonce, 'base64url');
    if (bytes.length !== 2 * NONCE_BYTES) return false;
    return timingSafeEqual(bytes.subarray(NONCE_BYTES), this.#macOf(bytes.subarray(0, NONCE_BYTES)));
  }

  #macOf(random: Uint8Array): Buffer {
    return createHmac('sha256', this.#nonceKey).update(random).digest().subarray(0, NONCE_BYTES);
  }
}

/** Returns whether a text has the hash, in a time that does not depend on the text. */
export function hasHash(text: string, hash: string): boolean {
  return timingSafeEqual(Buffer.from(hashOf(text)), Buffer.from(hash));
}
