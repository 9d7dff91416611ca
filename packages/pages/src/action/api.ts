/** A parsed JSON object with unknown fields. */
export type JsonRecord = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the field if it is an object; otherwise undefined. */
export function findRecord(record: JsonRecord, name: string): JsonRecord | undefined {
  const value = record[name];
  return isRecord(value) ? value : undefined;
}

/** Returns the field if it is a non-empty string; otherwise undefined. */
export function findText(record: JsonRecord, name: string): string | undefined {
  const value = record[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The outcome of a request to the server. */
export type CallOutcome =
  | { readonly kind: 'answered'; readonly json: JsonRecord }
  /** `code` is an error code of the server, such as `EXPIRED_OOB_CODE`. */
  | { readonly kind: 'rejected'; readonly code: string }
  /** The network failed, the response did not come from the server, or the server is overloaded. */
  | { readonly kind: 'unreachable' };

/** A request: POST with a body, otherwise GET. */
export interface CallRequest {
  readonly path: string;
  readonly apiKey: string;
  /** The tenant of a request without a body. */
  readonly tenantId?: string | undefined;
  readonly body?: JsonRecord;
  /** Language of the email that the request sends. */
  readonly language?: string;
  /** Proves that the request comes from an app or a page of the project. */
  readonly appCheckToken?: string | undefined;
}

/** Signature of the browser's `fetch`. */
export type Fetch = typeof fetch;

const TIMEOUT_MS = 30_000;

/** Sends a request to the origin of the page. Undefined fields of the body are omitted. */
export async function call(fetch: Fetch, request: CallRequest): Promise<CallOutcome> {
  try {
    const { apiKey, tenantId } = request;
    const tenant = tenantId === undefined ? '' : `&tenantId=${encodeURIComponent(tenantId)}`;
    const address = `${request.path}?key=${encodeURIComponent(apiKey)}${tenant}`;
    const response = await fetch(address, describeFetch(request));
    return readOutcome(response.ok, await response.json());
  } catch {
    // No response, or one that is not JSON: an overloaded server, or a proxy that cannot reach the server.
    return { kind: 'unreachable' };
  }
}

function describeFetch({ body, language, appCheckToken }: CallRequest): RequestInit {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  if (body === undefined) return { signal };
  const headers = new Headers({ 'content-type': 'application/json' });
  if (language !== undefined) headers.set('x-firebase-locale', language);
  if (appCheckToken !== undefined) headers.set('x-firebase-appcheck', appCheckToken);
  return { signal, method: 'POST', headers, body: JSON.stringify(body) };
}

function readOutcome(isOk: boolean, json: unknown): CallOutcome {
  if (!isRecord(json)) return { kind: 'unreachable' };
  if (isOk) return { kind: 'answered', json };
  const error = findRecord(json, 'error');
  const message = error === undefined ? undefined : findText(error, 'message');
  if (message === undefined) return { kind: 'unreachable' };
  // The text after the code is for developers, in English.
  return { kind: 'rejected', code: message.split(':', 1)[0]?.trim() ?? message };
}
