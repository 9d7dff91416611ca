import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import { Api, ApiError, type ApiRequest } from './client.ts';
import type { Credential } from './session.ts';

/** The `auth` variable of the impersonated user; `null` if not signed in. */
export type Auth = Readonly<Record<string, unknown>> | null;

/** An action that the rules denied to the impersonated user. */
export type DeniedAction =
  | { readonly kind: 'read'; readonly path: string }
  /** `text` is the new value as JSON. */
  | { readonly kind: 'write'; readonly path: string; readonly text: string }
  | { readonly kind: 'update'; readonly changes: unknown };

/** The query parameter that names the impersonated user, by route; `null` if the route neither shows nor changes data. */
const PARAMETERS: readonly (readonly [RegExp, string | null])[] = [
  [/^\/api\/databases\/[^/]+\/(?:children|changes|search|changes\/\d+\/undo)$/, 'as'],
  // The console uses the size only to decide whether to read the node, and it reads as the impersonated user.
  [/^\/api\/databases\/[^/]+\/size$/, null],
  [/\.json$/, 'auth_variable_override'],
];

/**
 * Sends data requests as an impersonated user. For all other routes, `send` rejects with an `ApiError` and sends
 * nothing, so that the console never shows or does anything that the rules have not allowed.
 */
export class ImpersonationApi extends Api {
  readonly #own: Api;
  readonly #auth: string;
  readonly #onDenied: (action: DeniedAction) => void;

  /** `onDenied` receives each action that the rules deny, before the caller receives the error. */
  constructor(own: Api, auth: Auth, onDenied: (action: DeniedAction) => void) {
    super(null);
    this.#own = own;
    this.#auth = JSON.stringify(auth);
    this.#onDenied = onDenied;
  }

  /** Returns `undefined`: prefetched responses are those of the member. */
  override takePrefetched(): undefined {
    return undefined;
  }

  override async send(address: string, { query = {}, ...request }: ApiRequest): Promise<Response> {
    const { pathname, searchParams } = new URL(address, location.origin);
    const [, name] = PARAMETERS.find(([path]) => path.test(pathname)) ?? [];
    if (name === undefined) throw new ApiError(403, `${pathname} is not available in “View as”.`);
    for (const [parameter, value] of Object.entries(query))
      if (value !== undefined) searchParams.set(parameter, String(value));
    if (name !== null) searchParams.set(name, this.#auth);
    try {
      return await this.#own.send(`${pathname}?${searchParams}`, request);
    } catch (error) {
      const action = isDenied(error) ? deniedAction(pathname, request) : undefined;
      if (action !== undefined) this.#onDenied(action);
      throw error;
    }
  }
}

/** Returns the member's credential with a prefix that makes WebSocket connections impersonate a user. */
export function impersonationCredential(own: Credential, auth: Auth): Credential {
  const prefix = `as.${encodeBase64Url(JSON.stringify(auth))}.`;
  return { token: async () => `${prefix}${await own.token()}`, onChange: own.onChange };
}

function encodeBase64Url(text: string): string {
  const bytes = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte));
  return btoa(bytes.join('')).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Returns whether the rules denied the request. REST errors have no code. */
function isDenied(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    error.status === 401 &&
    (error.code === 'access/denied' || error.message === 'Permission denied')
  );
}

function deniedAction(
  pathname: string,
  { method = 'GET', text }: Pick<ApiRequest, 'method' | 'text'>,
): DeniedAction | undefined {
  if (pathname.endsWith('/changes') && typeof text === 'string') {
    const body = parseJsonText(text);
    return typeof body === 'object' && body !== null && 'changes' in body
      ? { kind: 'update', changes: body.changes }
      : undefined;
  }
  const path = decodeURIComponent(pathname.replace(/\.json$/, ''));
  switch (method) {
    case 'GET':
      return { kind: 'read', path };
    case 'DELETE':
      return { kind: 'write', path, text: 'null' };
    default:
      return typeof text === 'string' ? { kind: 'write', path, text } : undefined;
  }
}
