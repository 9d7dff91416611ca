import type { IncomingMessage } from 'node:http';
import { RequestError } from '@hearth/core/error/request-error.ts';
import { accountRecords, listAccountsOfProvider } from '../auth/accounts/account-store.ts';
import type { AuthApiBodies } from '../auth/api/body.ts';
import { HOSTED_PATH } from '../auth/codes/links.ts';
import type { ReturnWay } from '../auth/flows/flow-provider.ts';
import { listOfferedProviders } from '../auth/flows/offered-providers.ts';
import {
  findAppUrl,
  readStartRequest,
  type StartContext,
  type StartProblem,
  type StartRequest,
} from '../auth/flows/start-request.ts';
import { type FlowBrowser, type FlowStep, finishFlow, startFlow, stateOf } from '../auth/flows/web-flow.ts';
import { findCookie } from '../auth/hosted/page-cookie.ts';
import type { Project } from '../auth/projects/project.ts';
import { findPreset } from '../auth/providers/presets.ts';
import type { AuthServices } from '../auth/services.ts';
import { findTenantProject } from '../auth/tenants/select.ts';
import { requestSource } from '../http/request-source.ts';
import type { Answer, Headers } from '../http/response.ts';
import { wholeText } from '../http/response.ts';
import { pageHeaders, renderBuiltPage, type SignInPagesBuild } from '../http/static-pages.ts';
import type { Transport } from '../http/transport.ts';
import { readHostedPage } from './hosted-sign-in.ts';
import { recordRejectedRedirect } from './rejected-redirects.ts';
import { answerSamlMetadata, isSamlMetadataPath } from './saml-metadata.ts';

/** The services that the pages use. */
export type SignInPagesServices = Pick<
  AuthServices,
  'projects' | 'tenants' | 'randomBytes' | 'recordStore' | 'providers' | 'secretBox' | 'clock' | 'audit'
>;

export interface SignInPagesOptions {
  readonly services: SignInPagesServices;
  readonly transport: Pick<Transport, 'originOf' | 'networkOfClient' | 'clientAddressOf' | 'isSecure'>;
  readonly build: SignInPagesBuild;
  /** Reads the forms with which providers return. */
  readonly bodies: Pick<AuthApiBodies, 'read'>;
  readonly allowedHosts: readonly string[];
  readonly isDevelopment: boolean;
}

/** The page that the SDK opens for a sign-in with another provider. */
const HANDLER_PATH = '/__/auth/handler';
/** The page that the SDK opens in a frame of the app. */
const FRAME_PATH = '/__/auth/iframe';
const SHIM_PATH = '/__/auth/shim.js';
/** The paths at which an SDK that connects to this server as to the official emulator opens the same pages. */
const EMULATOR_PATHS: Readonly<Record<string, string>> = {
  '/emulator/auth/handler': HANDLER_PATH,
  '/emulator/auth/iframe': FRAME_PATH,
};
const PATHS: ReadonlySet<string> = new Set([
  HANDLER_PATH,
  FRAME_PATH,
  SHIM_PATH,
  HOSTED_PATH,
  ...Object.keys(EMULATOR_PATHS),
]);

/**
 * The script that the SDK loads in apps that do not load the script of this server. The SDK expects the same script in
 * the frame.
 */
const OFFICIAL_SCRIPT = 'https://apis.google.com/js/api.js';
const OFFICIAL_SCRIPTS = "'self' 'unsafe-inline' 'unsafe-eval' https://apis.google.com";

/** Longest form with which a provider returns, in bytes. */
const MAX_FORM_BYTES = 524_288;

/** Number of users of a provider whom the page offers in development mode. */
const MAX_OFFERED_USERS = 50;
const NONCE_BYTES = 16;
/**
 * How long browsers may use a cached copy of the script, in s. It is short, so that an app does not keep an old script
 * for long.
 */
const SHIM_AGE_SEC = 300;

/** Returns whether a path may be one of these pages. */
export function isSignInPath(path: string): boolean {
  return PATHS.has(path) || isSamlMetadataPath(path);
}

/** The pages of sign-ins with other providers. */
export class SignInPages {
  readonly #options: SignInPagesOptions;
  readonly #context: StartContext;

  constructor(options: SignInPagesOptions) {
    this.#options = options;
    const { services, isDevelopment, allowedHosts } = options;
    this.#context = {
      findProject: (apiKey) => services.projects.findByKey(apiKey),
      findTenant: (project, tenantId) => findTenantProject(project, tenantId, services),
      isDevelopment,
      allowedHosts,
    };
  }

  /** Returns the response to a `GET`; `undefined` if the page does not exist in this mode. */
  async answer(request: IncomingMessage, path: string, query: URLSearchParams): Promise<Answer | undefined> {
    const { isDevelopment } = this.#options;
    switch (isDevelopment ? (EMULATOR_PATHS[path] ?? path) : path) {
      case HANDLER_PATH:
        return isDevelopment ? this.#answerChoice(request, query) : this.#answerHandler(request, query);
      case HOSTED_PATH:
        return this.#answerHosted(request, query);
      case FRAME_PATH:
        return this.#answerFrame(query);
      case SHIM_PATH:
        return this.#answerShim();
      default:
        return isSamlMetadataPath(path)
          ? answerSamlMetadata(this.#options.services, path, query, this.#handlerAt(request))
          : undefined;
    }
  }

  /** Returns the response to a `POST`, with which a provider returns; `undefined` for pages that accept none. */
  async answerForm(request: IncomingMessage, path: string): Promise<Answer | undefined> {
    const { bodies, isDevelopment } = this.#options;
    if (path !== HANDLER_PATH || isDevelopment) return undefined;
    try {
      const body = await bodies.read(request, MAX_FORM_BYTES);
      return await this.#answerReturn(request, 'form', new URLSearchParams(body.toString('utf8')));
    } catch (cause) {
      if (!(cause instanceof RequestError) || cause.code !== 'request/too-big') throw cause;
      return this.#renderHandler({ kind: 'problem', problem: 'providerFailed' }, 413);
    }
  }

  async #answerReturn(
    request: IncomingMessage,
    returnWay: ReturnWay,
    parameters: URLSearchParams,
  ): Promise<Answer> {
    const browser = this.#browserOf(request);
    return this.#answerStep(await finishFlow(this.#options.services, returnWay, parameters, browser));
  }

  /** Answers the page that replaces the provider in development mode. */
  #answerChoice(request: IncomingMessage, query: URLSearchParams): Answer {
    const start = this.#readStart(request, query);
    return this.#renderHandler(start.kind === 'problem' ? start : this.#chooseUser(start));
  }

  #readStart(request: IncomingMessage, query: URLSearchParams): StartRequest | StartProblem {
    const origin = this.#options.transport.originOf(request);
    const start = readStartRequest(query, { ...this.#context, origin });
    if (start.kind === 'problem') this.#recordProblem(request, query, HANDLER_PATH, start.problem);
    return start;
  }

  /** Records in the audit log that a page did not lead back to an address, if that is the problem. */
  #recordProblem(request: IncomingMessage, query: URLSearchParams, page: string, problem: string): void {
    if (problem !== 'unauthorizedDomain') return;
    const { services, transport } = this.#options;
    const project = this.#context.findProject(query.get('apiKey') ?? '');
    const address = query.get('redirectUrl') ?? '';
    recordRejectedRedirect(services.audit, transport, request, { page, project, address });
  }

  /** Answers the page at which the app starts a sign-in, and to which the provider redirects the user. */
  async #answerHandler(request: IncomingMessage, query: URLSearchParams): Promise<Answer> {
    const { services } = this.#options;
    if (stateOf(query) !== undefined) return this.#answerReturn(request, 'address', query);
    const start = this.#readStart(request, query);
    if (start.kind === 'problem') return this.#renderHandler(start);
    return this.#answerStep(
      await startFlow(services, start, this.#browserOf(request), this.#handlerAt(request)),
    );
  }

  /** Returns the address to which providers redirect users. */
  #handlerAt(request: IncomingMessage): string {
    return `${this.#options.transport.originOf(request)}${HANDLER_PATH}`;
  }

  #browserOf(request: IncomingMessage): FlowBrowser {
    const { transport } = this.#options;
    return {
      cookies: {
        address: findCookie(request, this.#cookieName('address')),
        form: findCookie(request, this.#cookieName('form')),
      },
      network: transport.networkOfClient(request),
      source: requestSource(request, transport.clientAddressOf(request)),
    };
  }

  /** A browser sends a cookie with this prefix only to this host, and only with TLS. */
  #cookieName(returnWay: ReturnWay): string {
    const name = returnWay === 'form' ? 'authflow-form' : 'authflow';
    return this.#options.transport.isSecure ? `__Host-${name}` : name;
  }

  /**
   * Returns the header that stores a cookie. Browsers send a cookie with a form from another site only if the cookie
   * allows that, and such a cookie requires TLS. Without TLS, only a provider on the same machine can send the form,
   * and browsers treat this provider as the same site.
   */
  #cookieOf({ cookie, returnWay }: FlowStep & { readonly kind: 'leave' }): string {
    const { isSecure } = this.#options.transport;
    const site = isSecure && returnWay === 'form' ? 'None' : 'Lax';
    const secure = isSecure ? '; Secure' : '';
    return `${this.#cookieName(returnWay)}=${cookie}; Path=/; HttpOnly; SameSite=${site}${secure}`;
  }

  #answerStep(step: FlowStep): Answer {
    if (step.kind !== 'leave') return this.#renderHandler(step);
    return {
      status: 303,
      headers: {
        ...pageHeaders(this.#nonce()),
        'cross-origin-opener-policy': 'unsafe-none',
        location: step.location,
        'set-cookie': this.#cookieOf(step),
      },
      body: null,
    };
  }

  /** Returns the content of the page on which the user of a development server acts as the provider. */
  #chooseUser({ project, app, providerId }: StartRequest): Record<string, unknown> {
    const accounts = this.#options.services.recordStore.read((view) =>
      listAccountsOfProvider(view.records(accountRecords(project.scope)), providerId, MAX_OFFERED_USERS),
    );
    const users = accounts
      .flatMap(({ identities }) => identities)
      .filter((identity) => identity.providerId === providerId)
      .map(({ rawId, email, displayName }) => ({ rawId, email, displayName }));
    const providerName = findPreset(providerId)?.name ?? providerId;
    return { kind: 'choose', app, providerId, providerName, users };
  }

  #renderHandler(page: object, status = 'problem' in page ? 400 : 200): Answer {
    const styleNonce = this.#nonce();
    return renderBuiltPage(
      { html: this.#options.build.handler },
      {
        status,
        // The page sends the result to the window that opened it.
        headers: { ...pageHeaders(styleNonce), 'cross-origin-opener-policy': 'unsafe-none' },
        parameters: { page, styleNonce },
      },
    );
  }

  /** Answers the hosted sign-in page. */
  #answerHosted(request: IncomingMessage, query: URLSearchParams): Answer {
    const { services, isDevelopment } = this.#options;
    const page = readHostedPage(query, {
      ...this.#context,
      listProviders: ({ scope }) => listOfferedProviders(services.recordStore, scope, isDevelopment),
    });
    if (page.kind === 'problem') this.#recordProblem(request, query, HOSTED_PATH, page.problem);
    const styleNonce = this.#nonce();
    // A popup sends the result to the window that opened it.
    const isPopup = page.kind === 'start' && page.isPopup;
    return renderBuiltPage(
      { html: this.#options.build.hosted },
      {
        status: page.kind === 'problem' ? 400 : 200,
        headers: {
          ...pageHeaders(styleNonce),
          ...(isPopup ? { 'cross-origin-opener-policy': 'unsafe-none' } : {}),
        },
        parameters: { page, lang: query.get('lang') ?? undefined, styleNonce },
      },
    );
  }

  /** Answers the frame. The page in it talks to the app alone whose origin the project authorizes. */
  #answerFrame(query: URLSearchParams): Answer {
    const [apiKey, appName] = [query.get('apiKey') ?? '', query.get('appName') ?? ''];
    const project = apiKey === '' ? undefined : this.#context.findProject(apiKey);
    if (project === undefined || appName === '') return this.#renderFrame(400, {});
    const claimed = query.get('hearthOrigin');
    if (claimed !== null) {
      const appOrigin = findAppUrl(claimed, project, this.#context)?.origin;
      if (appOrigin !== claimed) return this.#renderFrame(403, {});
      return this.#renderFrame(200, { apiKey, appName, appOrigin }, { parents: appOrigin });
    }
    const parents = parentsOf(project, this.#context.allowedHosts);
    return this.#options.isDevelopment
      ? this.#renderFrame(
          200,
          { apiKey, appName, officialScript: OFFICIAL_SCRIPT },
          { parents, scripts: OFFICIAL_SCRIPTS },
        )
      : this.#renderFrame(200, { apiKey, appName }, { parents });
  }

  #renderFrame(
    status: number,
    parameters: Readonly<Record<string, string>>,
    policy: { readonly parents?: string; readonly scripts?: string } = {},
  ): Answer {
    const styleNonce = this.#nonce();
    return renderBuiltPage(
      { html: this.#options.build.frame },
      {
        status,
        headers: { ...pageHeaders(styleNonce, [], policy), 'cross-origin-resource-policy': 'cross-origin' },
        parameters: { ...parameters, styleNonce },
      },
    );
  }

  #answerShim(): Answer | undefined {
    const { shim } = this.#options.build;
    if (shim === undefined) return undefined;
    const headers: Headers = {
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': `public, max-age=${SHIM_AGE_SEC}`,
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'cross-origin',
      'access-control-allow-origin': '*',
    };
    return { status: 200, headers, body: wholeText(shim.toString('utf8')) };
  }

  #nonce(): string {
    return Buffer.from(this.#options.services.randomBytes(NONCE_BYTES)).toString('base64url');
  }
}

/** A domain as the content security policy can name it, which has no IPv6 addresses. */
const DOMAIN = /^(?:\*\.)?[a-z0-9.-]+$/i;

/** Returns the pages that may embed the frame: those on authorized domains, on any port. */
function parentsOf({ settings }: Project, allowedHosts: readonly string[]): string {
  const { authorizedDomains, areDomainsExact } = settings;
  const named = [...authorizedDomains, ...allowedHosts].filter((domain) => DOMAIN.test(domain));
  const withSubdomains = named.flatMap((domain) =>
    areDomainsExact || domain.startsWith('*.') ? [domain] : [domain, `*.${domain}`],
  );
  const sources = withSubdomains.map((domain) => `${domain}:*`);
  return sources.length === 0 ? "'none'" : sources.join(' ');
}
