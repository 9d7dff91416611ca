/** The kinds of sign-in that the SDK waits for. `unknown` is the event of a page to which no redirect returned. */
export const AUTH_TYPES = [
  'signInViaPopup',
  'signInViaRedirect',
  'linkViaPopup',
  'linkViaRedirect',
  'reauthViaPopup',
  'reauthViaRedirect',
  'unknown',
] as const;

export type AuthType = (typeof AUTH_TYPES)[number];

/** The result of a popup or a redirect, in the SDK's own format. */
export interface AuthEvent {
  readonly type: AuthType;
  readonly eventId: string | null;
  readonly urlResponse: string | null;
  readonly sessionId: string | null;
  readonly postBody: string | null;
  readonly tenantId: string | null;
  readonly error?: { readonly code: string; readonly message: string };
}

/** The event that the SDK expects on a page to which no redirect returned. Without it, `getRedirectResult` never ends. */
export const NO_REDIRECT: AuthEvent = {
  type: 'unknown',
  eventId: null,
  urlResponse: null,
  sessionId: null,
  postBody: null,
  tenantId: null,
  error: { code: 'auth/no-auth-event', message: 'No redirect has returned.' },
};

/** Parses an event. Returns undefined for anything else. */
export function parseAuthEvent(value: unknown): AuthEvent | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const field = (name: string): unknown => Reflect.get(value, name);
  const text = (name: string): string | null => {
    const found = field(name);
    return typeof found === 'string' ? found : null;
  };
  const type = AUTH_TYPES.find((known) => known === field('type'));
  if (type === undefined) return undefined;
  const event: AuthEvent = {
    type,
    eventId: text('eventId'),
    urlResponse: text('urlResponse'),
    sessionId: text('sessionId'),
    postBody: text('postBody'),
    tenantId: text('tenantId'),
  };
  const error = parseError(field('error'));
  return error === undefined ? event : { ...event, error };
}

function parseError(value: unknown): AuthEvent['error'] {
  if (typeof value !== 'object' || value === null) return undefined;
  const [code, message] = [Reflect.get(value, 'code'), Reflect.get(value, 'message')];
  if (typeof code !== 'string') return undefined;
  return { code, message: typeof message === 'string' ? message : '' };
}
