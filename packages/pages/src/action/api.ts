/** An object that came as JSON, of which nothing is known yet. */
export type JsonRecord = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object at a name; undefined when there is none, or something else. */
export function findRecord(record: JsonRecord, name: string): JsonRecord | undefined {
  const value = record[name];
  return isRecord(value) ? value : undefined;
}

/** The text at a name; undefined when there is none, an empty one, or something else. */
export function findText(record: JsonRecord, name: string): string | undefined {
  const value = record[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** How a request to the server ended. */
export type CallOutcome =
  | { readonly kind: 'answered'; readonly json: JsonRecord }
  /** `code` is one of the server's list, e.g. `EXPIRED_OOB_CODE`. */
  | { readonly kind: 'refused'; readonly code: string }
  /** The network failed, or what answered is not the server or cannot serve now. */
  | { readonly kind: 'unreachable' };

/** The method and address of a call, and what its body holds; without a body it is a GET. */
export interface CallRequest {
  readonly path: string;
  readonly apiKey: string;
  readonly body?: JsonRecord;
  /** Of the mail that the call sends. */
  readonly language?: string;
}

/** As the browser's own. */
export type Fetch = typeof fetch;

const LIMIT_MS = 30_000;

/** Asks the server that the page came from. Members of the body that are undefined are not sent. */
export async function call(fetch: Fetch, request: CallRequest): Promise<CallOutcome> {
  try {
    const address = `${request.path}?key=${encodeURIComponent(request.apiKey)}`;
    const response = await fetch(address, describeFetch(request));
    return readOutcome(response.ok, await response.json());
  } catch {
    // No answer, or one that is no JSON, which is how an overloaded server and a proxy without one answer.
    return { kind: 'unreachable' };
  }
}

function describeFetch({ body, language }: CallRequest): RequestInit {
  const signal = AbortSignal.timeout(LIMIT_MS);
  if (body === undefined) return { signal };
  const headers = new Headers({ 'content-type': 'application/json' });
  if (language !== undefined) headers.set('x-firebase-locale', language);
  return { signal, method: 'POST', headers, body: JSON.stringify(body) };
}

function readOutcome(isOk: boolean, json: unknown): CallOutcome {
  if (!isRecord(json)) return { kind: 'unreachable' };
  if (isOk) return { kind: 'answered', json };
  const error = findRecord(json, 'error');
  const message = error === undefined ? undefined : findText(error, 'message');
  if (message === undefined) return { kind: 'unreachable' };
  // What follows the code is for developers, in English.
  return { kind: 'refused', code: message.split(':', 1)[0]?.trim() ?? message };
}
