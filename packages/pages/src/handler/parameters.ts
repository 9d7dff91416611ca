import { AUTH_TYPES, type AuthEvent, type AuthType, parseAuthEvent } from '../relay/auth-event.ts';

/** Why a sign-in cannot begin or be completed. */
const PROBLEMS = [
  'incomplete',
  'wrongProject',
  'unknownTenant',
  'unknownProvider',
  'providerDisabled',
  'unauthorizedDomain',
  'unsupported',
  'expired',
  'otherBrowser',
  'tooMany',
  'providerFailed',
  'lost',
  'noStorage',
] as const;

export type HandlerProblem = (typeof PROBLEMS)[number];

/** The app that waits for the result. The project has authorized the origin of `redirectUrl`. */
export interface WaitingApp {
  readonly apiKey: string;
  readonly appName: string;
  readonly authType: AuthType;
  readonly eventId: string | null;
  readonly tenantId: string | null;
  readonly redirectUrl: URL;
  /** The SHA-256 of a secret of the tab that waits for a redirect; `null` if the event goes through the storage of the browser. */
  readonly challenge: string | null;
}

/** A user at the provider, for a development server. */
export interface DevelopmentUser {
  readonly rawId: string;
  readonly email: string | null;
  readonly displayName: string | null;
}

/** The first content of the page. */
export type HandlerPage =
  /** Only in development mode: the user selects or invents a user at the provider. */
  | {
      readonly kind: 'choose';
      readonly app: WaitingApp;
      readonly providerId: string;
      readonly providerName: string;
      readonly users: readonly DevelopmentUser[];
    }
  /** The provider has answered. */
  | { readonly kind: 'deliver'; readonly app: WaitingApp; readonly event: AuthEvent }
  /** The server has answered: the app waits at the address. */
  | { readonly kind: 'return'; readonly address: URL }
  | { readonly kind: 'problem'; readonly problem: HandlerProblem };

/** Parameters that the server writes into the page. */
export interface HandlerParameters {
  readonly page: HandlerPage;
  /** Nonce that the Content Security Policy requires on style elements. */
  readonly styleNonce: string | undefined;
}

type JsonRecord = Readonly<Record<string, unknown>>;

function recordOf(value: unknown): JsonRecord {
  return typeof value === 'object' && value !== null ? (value as JsonRecord) : {};
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

export function parseHandlerParameters(json: unknown): HandlerParameters {
  const { page, styleNonce } = recordOf(json);
  return { page: parsePage(recordOf(page)), styleNonce: textOrNull(styleNonce) ?? undefined };
}

function parsePage(page: JsonRecord): HandlerPage {
  const app = parseApp(recordOf(page['app']));
  const event = parseAuthEvent(page['event']);
  const providerId = textOrNull(page['providerId']);
  const address = page['address'] === undefined ? undefined : parseWebAddress(page['address']);
  if (address !== undefined) return { kind: 'return', address };
  if (app !== undefined && event !== undefined) return { kind: 'deliver', app, event };
  if (app !== undefined && providerId !== null)
    return {
      kind: 'choose',
      app,
      providerId,
      providerName: textOrNull(page['providerName']) ?? providerId,
      users: parseUsers(page['users']),
    };
  const problem = PROBLEMS.find((known) => known === page['problem']) ?? 'incomplete';
  return { kind: 'problem', problem };
}

function parseApp(app: JsonRecord): WaitingApp | undefined {
  const [apiKey, appName] = [textOrNull(app['apiKey']), textOrNull(app['appName'])];
  const authType = AUTH_TYPES.find((known) => known === app['authType']);
  const redirectUrl = parseWebAddress(app['redirectUrl']);
  if (apiKey === null || appName === null || authType === undefined || redirectUrl === undefined)
    return undefined;
  const [eventId, tenantId] = [textOrNull(app['eventId']), textOrNull(app['tenantId'])];
  const challenge = textOrNull(app['challenge']);
  return { apiKey, appName, authType, eventId, tenantId, redirectUrl, challenge };
}

/** Parses an http address. The server checks the address, too, but a `javascript:` URL would run in this page. */
export function parseWebAddress(value: unknown): URL | undefined {
  try {
    const url = new URL(String(value));
    return /^https?:$/.test(url.protocol) ? url : undefined;
  } catch {
    return undefined;
  }
}

function parseUsers(value: unknown): readonly DevelopmentUser[] {
  return (Array.isArray(value) ? value : []).flatMap((item) => {
    const { rawId, email, displayName } = recordOf(item);
    const id = textOrNull(rawId);
    return id === null ? [] : [{ rawId: id, email: textOrNull(email), displayName: textOrNull(displayName) }];
  });
}
