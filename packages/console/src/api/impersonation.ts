import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import { Api, ApiError, type ApiRequest } from './client.ts';
import type { Credential } from './session.ts';

/** The variable `auth` of somebody; `null` for nobody. */
export type Auth = Readonly<Record<string, unknown>> | null;

/** What rules did not let somebody do. */
export type DeniedAction =
  | { readonly kind: 'read'; readonly path: string }
  /** `text` is what was to be there, as JSON. */
  | { readonly kind: 'write'; readonly path: string; readonly text: string }
  | { readonly kind: 'update'; readonly changes: unknown };

/** Which parameter of an interface names whom rules are to judge; `null` where data is neither shown nor changed. */
const PARAMETERS: readonly (readonly [RegExp, string | null])[] = [
  [/^\/api\/databases\/[^/]+\/(?:children|changes|search)$/, 'as'],
  // It bounds what is read next.
  [/^\/api\/databases\/[^/]+\/size$/, null],
  [/\.json$/, 'auth_variable_override'],
];

/**
 * The interfaces of the server for data, asked by whoever is at the console in the place of somebody else. What cannot be
 * asked like that is not asked at all, with an `ApiError`, so that nothing is shown or done that rules have not judged.
 */
export class ImpersonationApi extends Api {
  readonly #own: Api;
  readonly #auth: string;
  readonly #onDenied: (action: DeniedAction) => void;

  /** `onDenied` hears of what rules refuse, before whoever asked. */
  constructor(own: Api, auth: Auth, onDenied: (action: DeniedAction) => void) {
    super(null);
    this.#own = own;
    this.#auth = JSON.stringify(auth);
    this.#onDenied = onDenied;
  }

  /** What was asked for ahead was asked in nobody's place. */
  override takeKnown(): undefined {
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

/** What says over WebSockets that rules are to judge somebody else. */
export function impersonationCredential(own: Credential, auth: Auth): Credential {
  const prefix = `as.${encodeBase64Url(JSON.stringify(auth))}.`;
  return { token: async () => `${prefix}${await own.token()}`, onChange: own.onChange };
}

function encodeBase64Url(text: string): string {
  const bytes = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte));
  return btoa(bytes.join('')).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Have rules refused it? REST says so without a code. */
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
