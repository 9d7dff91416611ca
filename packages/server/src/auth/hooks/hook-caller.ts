import type { Clock } from '../../platform/clock.ts';
import { createHttpSend, type HttpReply, type HttpSend } from '../../platform/network/http-send.ts';
import type { AddressCheck } from '../../platform/network/public-address.ts';
import { RecentMap } from '../../platform/recent-map.ts';
import { AuthApiError, AuthOverload } from '../errors.ts';
import { isJsonObject, type JsonObject } from '../fields.ts';
import { ACCOUNT_EVENTS, type Hook, type HookEvent } from '../projects/hook-settings.ts';
import { ProjectPlaces } from '../throttling/project-places.ts';

/** Time for the answer of a function, in ms, as in the official service. */
export const TIMEOUT_MS = 7_000;
const MAX_REPLY_BYTES = 65_536;
const FORBIDDEN =
  'The function is not at a public address. The operator can allow other addresses with --allow-private-hooks.';
/** Longest text of a function's error that clients get. */
const MAX_MESSAGE_LENGTH = 1_000;
/** Maximum number of requests to functions at a time, of those of one project, and of those that one network causes. */
const MAX_CALLS = 500;
const MAX_CALLS_OF_PROJECT = 100;
const MAX_CALLS_OF_NETWORK = 25;
/** The same for messages, which must not take the places of sign-ins. */
const MAX_MESSAGE_CALLS = 200;
const MAX_MESSAGE_CALLS_OF_PROJECT = 50;
/** Time after which a request can be ended for another of the same network, in ms. */
const MAX_SLOW_MS = 1_000;
/** Number of failures of a function within `WINDOW_MS` after which it is not called for `WINDOW_MS`. */
const MAX_FAILURES = 20;
const WINDOW_MS = 60_000;
/** Maximum number of functions whose failures are counted. */
const MAX_FUNCTIONS = 1_000;
const RETRY_AFTER_SEC = 1;

/** A function did not decide: it did not answer, answered with an error of its own, or fails all the time. */
export class HookFailure extends AuthApiError {
  constructor(detail: string) {
    super('BLOCKING_FUNCTION_ERROR_RESPONSE', detail);
    this.name = 'HookFailure';
  }
}

/** There is no reply of a function. The message says why. */
export class HookUnreachable extends Error {
  /** Whether the time for the reply was over. */
  readonly isLate: boolean;

  constructor(cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`The function cannot be reached: ${reason.replace(/\.$/, '')}.`, { cause });
    this.name = 'HookUnreachable';
    this.isLate = cause instanceof Error && cause.name === 'AbortError';
  }
}

interface Failures {
  readonly sinceMs: number;
  readonly count: number;
}

/** The project and the event for which the server calls a function. */
export interface HookCause {
  readonly projectId: string;
  readonly event: HookEvent;
  /** The network of the client. */
  readonly network: string;
}

export interface HookCallerOptions {
  readonly clock: Clock;
  /** Returns whether the server may connect to an address. `undefined` allows all addresses. */
  readonly mayReach: AddressCheck | undefined;
  readonly isDevelopment: boolean;
}

/**
 * Calls the functions of projects that decide about events. A function that fails rejects the event: it is asked once,
 * and not at all for a minute after many failures.
 */
export class HookCaller {
  readonly #clock: Clock;
  readonly #isDevelopment: boolean;
  readonly #send: HttpSend;
  readonly #failures = new RecentMap<Failures>(MAX_FUNCTIONS);
  readonly #places: Readonly<Record<'sign-in' | 'message', ProjectPlaces>>;

  constructor({ clock, mayReach, isDevelopment }: HookCallerOptions) {
    this.#clock = clock;
    this.#isDevelopment = isDevelopment;
    const limits = { reserve: 0, ofNetwork: MAX_CALLS_OF_NETWORK, idleMs: MAX_SLOW_MS, isAge: true } as const;
    const places = (total: number, ofProject: number): ProjectPlaces =>
      new ProjectPlaces({
        all: { ...limits, total },
        ofProject: { ...limits, total: ofProject },
        nowMs: clock.elapsedMs,
      });
    this.#places = {
      'sign-in': places(MAX_CALLS, MAX_CALLS_OF_PROJECT),
      message: places(MAX_MESSAGE_CALLS, MAX_MESSAGE_CALLS_OF_PROJECT),
    };
    this.#send = createHttpSend({
      mayReach,
      forbidden: FORBIDDEN,
      timeoutMs: TIMEOUT_MS,
      maxReplyBytes: MAX_REPLY_BYTES,
    });
  }

  /**
   * Posts a token to a function and returns its response. Rejects with `BLOCKING_FUNCTION_ERROR_RESPONSE` if the function
   * rejects the event, and with a `HookFailure` of that code if the function fails. If too many requests to functions are
   * running, rejects this one or the oldest one of the network with the most requests, with `AuthOverload`.
   */
  async call(cause: HookCause, { uri }: Hook, jwt: string): Promise<JsonObject> {
    // One function may decide about several events and fail for one of them.
    const key = `${cause.projectId} ${cause.event} ${uri}`;
    if (this.#isBroken(key)) throw this.#failed(uri, 'The function failed too often. It is not called now.');
    const reply = await this.#post(cause, uri, jwt).catch((error: unknown) => {
      if (!(error instanceof HookUnreachable)) throw error;
      this.#countFailure(key);
      throw this.#failed(uri, 'The function did not answer in time.');
    });
    const answer = findJsonObject(reply.body);
    if (reply.status === 200 && answer !== undefined) return answer;
    const detail = this.#describe(uri, reply, answer);
    if (reply.status >= 400 && reply.status < 500) throw hookError(detail);
    this.#countFailure(key);
    throw new HookFailure(detail);
  }

  /**
   * Posts a token to a function and returns its reply, also if the function failed often. The reply does not count.
   * Rejects with a `HookUnreachable` if there is none, and with `AuthOverload` like `call`.
   */
  probe(cause: HookCause, { uri }: Hook, jwt: string): Promise<HttpReply> {
    return this.#post(cause, uri, jwt);
  }

  async #post({ projectId, event, network }: HookCause, uri: string, jwt: string): Promise<HttpReply> {
    const ended = new AbortController();
    const kind = ACCOUNT_EVENTS.some((known) => known === event) ? 'sign-in' : 'message';
    const place = this.#places[kind].take(projectId, { network, isPrivileged: false }, () => ended.abort());
    if (place === undefined) throw new AuthOverload(RETRY_AFTER_SEC);
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ data: { jwt } });
    try {
      return await this.#send(new URL(uri), { method: 'POST', headers, body }, ended.signal);
    } catch (cause) {
      // The function has not failed if another request took its place.
      if (ended.signal.aborted) throw new AuthOverload(RETRY_AFTER_SEC);
      throw new HookUnreachable(cause);
    } finally {
      place.release();
    }
  }

  #isBroken(key: string): boolean {
    const failures = this.#failures.find(key);
    return (
      failures !== undefined &&
      failures.count >= MAX_FAILURES &&
      this.#clock.elapsedMs() - failures.sinceMs < WINDOW_MS
    );
  }

  /** Counts from the first failure of a minute. The minute in which the function is not called begins with the last. */
  #countFailure(key: string): void {
    const nowMs = this.#clock.elapsedMs();
    const before = this.#failures.find(key);
    const isRecent = before !== undefined && nowMs - before.sinceMs < WINDOW_MS;
    const count = isRecent ? before.count + 1 : 1;
    const sinceMs = isRecent && count < MAX_FAILURES ? before.sinceMs : nowMs;
    this.#failures.write(key, { sinceMs, count });
  }

  #failed(uri: string, message: string): HookFailure {
    if (this.#isDevelopment) return new HookFailure(`((Failed to make request to ${uri}. ${message}))`);
    return new HookFailure(`HTTP Cloud Function returned an error: ${errorJson('INTERNAL', message)}`);
  }

  /** Describes the error of a function. Outside of development mode, the text has no details, such as the address. */
  #describe(uri: string, { status, body }: HttpReply, answer: JsonObject | undefined): string {
    if (this.#isDevelopment)
      return `((HTTP request to ${uri} returned HTTP error ${status}: ${body.slice(0, MAX_MESSAGE_LENGTH)}))`;
    const error = isJsonObject(answer?.['error']) ? answer['error'] : {};
    const { status: name, message } = error;
    return `HTTP Cloud Function returned an error: ${errorJson(
      typeof name === 'string' && /^[A-Z_]{1,40}$/.test(name) ? name : 'INTERNAL',
      typeof message === 'string'
        ? message.toWellFormed().slice(0, MAX_MESSAGE_LENGTH)
        : 'The function failed.',
    )}`;
  }
}

function errorJson(status: string, message: string): string {
  return JSON.stringify({ error: { status, message } });
}

/** Returns the error of an event that a function rejects. */
export function hookError(detail: string): AuthApiError {
  return new AuthApiError('BLOCKING_FUNCTION_ERROR_RESPONSE', detail);
}

export function findJsonObject(text: string): JsonObject | undefined {
  try {
    const json: unknown = JSON.parse(text);
    return isJsonObject(json) ? json : undefined;
  } catch {
    return undefined;
  }
}
