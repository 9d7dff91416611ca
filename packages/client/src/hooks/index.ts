import { findSigningKey } from './signing-keys.ts';

/** The events that a function accepts. */
export interface HookOptions {
  /** `https://` and the server's host, followed by `/.well-known/jwks.json`. */
  readonly jwksUrl: string;
  /** The project whose events the function decides. The keys of a server sign the events of all its projects. */
  readonly projectId: string;
  /** The address of the function as the project names it, or `audience` of its trigger. */
  readonly audience: string;
  /**
   * Accepts unsigned events. Use this only for a function that a development server calls: such a server signs nothing,
   * so any client can forge events.
   */
  readonly isDevelopment?: boolean;
}

export type HookEventType = 'beforeCreate' | 'beforeSignIn' | 'beforeSendEmail' | 'beforeSendSms';

/** An event about which a function decides: the claims of its token. */
export interface HookEvent {
  readonly event_type: HookEventType;
  /** Unique for each event. The server sends an event only once. */
  readonly event_id: string;
  /** The user ID; `undefined` for `beforeSendEmail` and `beforeSendSms`. */
  readonly sub?: string;
  /** The account, for `beforeCreate` and `beforeSignIn`. */
  readonly user_record?: Readonly<Record<string, unknown>>;
  readonly sign_in_method?: string;
  readonly sign_in_second_factor?: string;
  readonly tenant_id?: string;
  readonly ip_address: string;
  readonly user_agent: string;
  readonly locale: string;
  /** For `beforeSendEmail`. */
  readonly email?: string;
  readonly email_type?: 'EMAIL_SIGN_IN' | 'PASSWORD_RESET';
  /** For `beforeSendSms`. */
  readonly phone_number?: string;
  readonly sms_type?: 'SIGN_IN_OR_SIGN_UP' | 'MULTI_FACTOR_SIGN_IN' | 'MULTI_FACTOR_ENROLLMENT';
  readonly [claim: string]: unknown;
}

/** The changes that a function makes to an account, and to the session of a sign-in. */
export interface HookChanges {
  readonly displayName?: string;
  readonly photoUrl?: string;
  readonly disabled?: boolean;
  readonly emailVerified?: boolean;
  readonly customClaims?: Readonly<Record<string, unknown>>;
  /** Claims of the session, for `beforeSignIn`. */
  readonly sessionClaims?: Readonly<Record<string, unknown>>;
}

/** Thrown for a request that is not a valid event of the server. Respond with the status 401. */
export class InvalidHook extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(`This is not an event of the project: ${reason}.`, options);
    this.name = 'InvalidHook';
  }
}

const EVENT_TYPES: ReadonlySet<unknown> = new Set<HookEventType>([
  'beforeCreate',
  'beforeSignIn',
  'beforeSendEmail',
  'beforeSendSms',
]);
/** Maximum difference between the clocks of the server and of the function, in s. */
const CLOCK_SKEW_SEC = 60;

/**
 * Verifies a request to a function and returns its event. `request` is a `Request` or its parsed JSON body. Rejects with
 * `InvalidHook` unless the server signed the event for this project and function, and with another error if the keys of
 * the server cannot be fetched.
 */
export async function verifyHook(request: unknown, options: HookOptions): Promise<HookEvent> {
  const body = request instanceof Request ? await request.json().catch(() => undefined) : request;
  const jwt: unknown = Object(Object(body).data).jwt;
  if (typeof jwt !== 'string') throw new InvalidHook('it has no token');
  const claims = await verifyToken(jwt, options);
  const { iss, aud, exp, iat, event_type } = claims;
  const nowSec = Date.now() / 1_000;
  if (aud !== options.audience) throw new InvalidHook('its token is for another function');
  if (iss !== `https://securetoken.google.com/${options.projectId}`)
    throw new InvalidHook('its token is of another project');
  if (typeof exp !== 'number' || exp + CLOCK_SKEW_SEC < nowSec)
    throw new InvalidHook('its token has expired');
  if (typeof iat !== 'number' || iat - CLOCK_SKEW_SEC > nowSec)
    throw new InvalidHook('its token is not valid yet');
  if (!EVENT_TYPES.has(event_type)) throw new InvalidHook('its token is not for an event');
  return claims as HookEvent;
}

async function verifyToken(
  jwt: string,
  { jwksUrl, isDevelopment = false }: HookOptions,
): Promise<Readonly<Record<string, unknown>>> {
  const [header = '', claims = '', signature = '', ...others] = jwt.split('.');
  if (others.length > 0) throw new InvalidHook('its token is not a JWT');
  const { alg, kid } = parsePart(header);
  if (isDevelopment && alg === 'none') return parsePart(claims);
  if (alg !== 'RS256' || typeof kid !== 'string') throw new InvalidHook('its token is not signed with RS256');
  const key = await findSigningKey(jwksUrl, kid);
  if (key === undefined) throw new InvalidHook('the server has no such key');
  const isSigned = await crypto.subtle.verify(
    'RSASSA-PKCS1-v1_5',
    key,
    fromBase64url(signature),
    new TextEncoder().encode(`${header}.${claims}`),
  );
  if (!isSigned) throw new InvalidHook('the signature of its token is wrong');
  return parsePart(claims);
}

function parsePart(part: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(new TextDecoder().decode(fromBase64url(part))));
  } catch (cause) {
    throw new InvalidHook('its token is not a JWT', { cause });
  }
}

function fromBase64url(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) =>
      char.charCodeAt(0),
    );
  } catch (cause) {
    throw new InvalidHook('its token is not a JWT', { cause });
  }
}

/** Returns the response of a function that permits an event, with changes to the account. */
export function permitHook(changes: HookChanges = {}): Response {
  const updateMask = Object.keys(changes).join(',');
  return Response.json(updateMask === '' ? {} : { userRecord: { ...changes, updateMask } });
}

/** Returns the response of a function that rejects an event. The server sends `message` to the client. */
export function rejectHook(message: string): Response {
  return Response.json({ error: { status: 'PERMISSION_DENIED', message } }, { status: 403 });
}
