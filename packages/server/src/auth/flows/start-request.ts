import { isLocalHost } from '../../http/guards.ts';
import { findAuthorizedUrl, findHostedUrl } from '../codes/links.ts';
import { isJsonObject, type JsonObject } from '../fields.ts';
import type { Project } from '../projects/project.ts';
import { isProviderId } from '../providers/provider-ids.ts';
import { CHALLENGE } from './app-secret.ts';

/** The kinds of sign-in that an app starts in a popup or with a redirect. */
const AUTH_TYPES = [
  'signInViaPopup',
  'signInViaRedirect',
  'linkViaPopup',
  'linkViaRedirect',
  'reauthViaPopup',
  'reauthViaRedirect',
] as const;

export type AuthType = (typeof AUTH_TYPES)[number];

/** The app that waits for the result of a sign-in. */
export interface WaitingApp {
  readonly apiKey: string;
  readonly appName: string;
  readonly authType: AuthType;
  /** Identifies the sign-in to the app; `null` if the app has only one. */
  readonly eventId: string | null;
  readonly tenantId: string | null;
  /** The page of the app. The project has authorized its origin. */
  readonly redirectUrl: string;
  /**
   * The SHA-256 of a secret of the tab that waits for a redirect, as base64url; `null` for popups, and for the SDK's own
   * resolver, which gets the event through the storage of the browser.
   */
  readonly challenge: string | null;
}

/** A request of an app to start a sign-in with another provider. */
export interface StartRequest {
  readonly kind: 'start';
  /** The project, as its tenant changes it if the app names one. */
  readonly project: Project;
  readonly app: WaitingApp;
  readonly providerId: string;
  readonly options: ProviderOptions;
}

/** The parameters of the app for the provider, in addition to those of every sign-in. */
export interface ProviderOptions {
  readonly scopes: readonly string[];
  readonly parameters: Readonly<Record<string, string>>;
}

/** Why a sign-in does not start. Nothing is sent to the app, because it may not be an app of the project. */
export interface StartProblem {
  readonly kind: 'problem';
  readonly problem:
    | 'incomplete'
    | 'wrongProject'
    | 'unknownTenant'
    | 'unknownProvider'
    | 'unauthorizedDomain'
    | 'unsupported';
}

/** The services and settings that reading a request needs. */
export interface StartContext {
  readonly findProject: (apiKey: string) => Project | undefined;
  /** Returns a project as one of its tenants changes it. */
  readonly findTenant: (project: Project, tenantId: string) => Project | undefined;
  readonly isDevelopment: boolean;
  /** In development mode, names of other hosts whose pages may use the server. */
  readonly allowedHosts: readonly string[];
}

/** The data that are needed in addition to read the address of the handler. */
export interface HandlerContext extends StartContext {
  /** The origin of this server, whose hosted sign-in page is an app of every project. */
  readonly origin: string;
}

/** Longest name of an app, and longest id of an event, in UTF-16 code units. */
const MAX_NAME_LENGTH = 256;

const MAX_SCOPES = 32;
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]{1,256}$/;
const MAX_PARAMETERS = 20;
const MAX_PARAMETER_LENGTH = 1_024;
/** Parameters that belong to the protocol. An app that could set them would weaken the sign-in. */
const RESERVED =
  /^(?:client_\w+|redirect_uri|response_\w+|scope|state|nonce|code\w*|request\w*|id_token_hint|registration|claims|assertion\w*|grant_type|iss)$/i;

/** Returns the parameters that the app passes to the provider, without those that it may not choose. */
export function limitOptions(scopes: readonly string[], parameters: JsonObject): ProviderOptions {
  return {
    scopes: scopes.filter((scope) => SCOPE.test(scope)).slice(0, MAX_SCOPES),
    parameters: limitParameters(parameters),
  };
}

function limitParameters(parameters: JsonObject): Readonly<Record<string, string>> {
  const entries = Object.entries(parameters).flatMap(([name, value]) =>
    typeof value === 'string' && Math.max(name.length, value.length) <= MAX_PARAMETER_LENGTH
      ? [[name, value] as const]
      : [],
  );
  return Object.fromEntries(entries.filter(([name]) => !RESERVED.test(name)).slice(0, MAX_PARAMETERS));
}

function parseJsonObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined;
    throw cause;
  }
}

function readOptions(query: URLSearchParams): ProviderOptions {
  const parameters = query.get('customParameters');
  const scopes = (query.get('scopes') ?? '').split(',');
  return limitOptions(scopes, parameters === null ? {} : (parseJsonObject(parameters) ?? {}));
}

/** Reads the parameters with which the SDK opens the page for a sign-in. */
export function readStartRequest(
  query: URLSearchParams,
  context: HandlerContext,
): StartRequest | StartProblem {
  const [apiKey, appName, redirectUrl] = ['apiKey', 'appName', 'redirectUrl'].map(
    (name) => query.get(name) ?? '',
  );
  const eventId = query.get('eventId') || null;
  if (!apiKey || !appName || !redirectUrl) return problem('incomplete');
  if ([appName, eventId ?? ''].some((text) => text.length > MAX_NAME_LENGTH)) return problem('incomplete');
  const authType = AUTH_TYPES.find((known) => known === query.get('authType'));
  if (authType === undefined) return problem('unsupported');
  const owner = context.findProject(apiKey);
  if (owner === undefined) return problem('wrongProject');
  const tenantId = query.get('tid') || null;
  const project = tenantId === null ? owner : context.findTenant(owner, tenantId);
  if (project === undefined) return problem('unknownTenant');
  const url = findAppUrl(redirectUrl, project, context) ?? findHostedUrl(redirectUrl, context.origin);
  if (url === undefined) return problem('unauthorizedDomain');
  const providerId = query.get('providerId') ?? '';
  if (!isProviderId(providerId)) return problem('unknownProvider');
  const challenge = authType.endsWith('ViaRedirect') ? query.get('challenge') || null : null;
  if (challenge !== null && !CHALLENGE.test(challenge)) return problem('incomplete');
  const app = { apiKey, appName, authType, eventId, tenantId, redirectUrl: url.href, challenge };
  return { kind: 'start', project, app, providerId, options: readOptions(query) };
}

function problem(reason: StartProblem['problem']): StartProblem {
  return { kind: 'problem', problem: reason };
}

/**
 * Returns the URL of a page of an app if the project authorizes it; in development mode, also a page that may use the
 * server.
 */
export function findAppUrl(
  text: string,
  { settings }: Project,
  { isDevelopment, allowedHosts }: Pick<StartContext, 'isDevelopment' | 'allowedHosts'>,
): URL | undefined {
  const authorized = findAuthorizedUrl(text, settings);
  const url = authorized ?? (isDevelopment ? (URL.parse(text) ?? undefined) : undefined);
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    return undefined;
  return authorized !== undefined || isLocalHost(url.host, allowedHosts) ? url : undefined;
}
