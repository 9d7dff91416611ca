import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AuthApiBodies } from '../auth/api/body.ts';
import { ACTION_PATH, findAuthorizedUrl, findHostedUrl, LINKS_PATH } from '../auth/codes/links.ts';
import type { Project } from '../auth/projects/project.ts';
import { findTenantProject } from '../auth/tenants/select.ts';
import { parseRequestTarget } from '../http/request-target.ts';
import { type Answer, sendAnswer, wholeText } from '../http/response.ts';
import { type BuiltPages, pageHeaders, type SignInPagesBuild, sendPageAsset } from '../http/static-pages.ts';
import type { DevMailbox } from '../mail/dev-mailbox.ts';
import type { DevPhone } from '../sms/dev-phone.ts';
import { type ActionPageParameters, readActionRequest, renderActionPage } from './action-page.ts';
import { firebaseInit } from './firebase-init.ts';
import { answerMailbox, MAILBOX_PATH, type MailboxAnswer } from './mailbox-page.ts';
import { type RejectedRedirect, recordRejectedRedirect } from './rejected-redirects.ts';
import {
  isSignInPath,
  SignInPages,
  type SignInPagesOptions,
  type SignInPagesServices,
} from './sign-in-pages.ts';
import { answerSms, SMS_PATH } from './sms-page.ts';

export interface HostedPagesOptions {
  readonly services: SignInPagesServices;
  readonly transport: SignInPagesOptions['transport'];
  readonly pages: BuiltPages;
  readonly signInPages: SignInPagesBuild;
  /** Reads the forms with which identity providers return. */
  readonly bodies: Pick<AuthApiBodies, 'read'>;
  /** In development mode, names of other hosts whose pages may use the server. */
  readonly allowedHosts: readonly string[];
  /** The packed client package; `undefined` if it is not built. */
  readonly clientPackage: Buffer | undefined;
  /** The mailbox that receives mails in development mode; `null` otherwise. */
  readonly mailbox: DevMailbox | null;
  /** The phone that receives text messages in development mode; `null` otherwise. */
  readonly phone: DevPhone | null;
  /** The project for pages that name none; `null` if pages must name one. */
  readonly defaultProject: string | null;
}

const ASSETS = '/__/auth/assets/';
/** The path from which apps install `@hearth/client`. */
const CLIENT_PATH = '/__/hearth/client.tgz';
const NONCE_BYTES = 16;
/** An API key for development mode, where any key works. */
const ANY_KEY = 'fake-api-key';

/**
 * The pages that Hearth hosts for the apps of its projects: the pages behind links in mails, and the
 * configuration for apps.
 */
export class HostedPages {
  readonly #options: HostedPagesOptions;
  readonly #signInPages: SignInPages;

  constructor(options: HostedPagesOptions) {
    this.#options = options;
    this.#signInPages = new SignInPages({
      services: options.services,
      transport: options.transport,
      build: options.signInPages,
      bodies: options.bodies,
      allowedHosts: options.allowedHosts,
      isDevelopment: options.defaultProject !== null,
    });
  }

  async answer(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    const asset = path.startsWith(ASSETS)
      ? this.#options.pages.assets.get(path.slice(ASSETS.length))
      : undefined;
    const form = request.method === 'POST' ? await this.#signInPages.answerForm(request, path) : undefined;
    if (form !== undefined) return sendAnswer(request, response, form, {});
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return sendAnswer(request, response, plain(405, 'Pages support only GET and HEAD.\n'), {
        allow: 'GET, HEAD',
      });
    if (asset !== undefined) {
      await sendPageAsset(request, response, asset);
      return;
    }
    if (isSignInPath(path)) {
      const { query } = parseRequestTarget(request.url);
      const answer = await this.#signInPages.answer(request, path, query);
      return sendAnswer(request, response, answer ?? plain(404, 'Page not found.\n'), {});
    }
    if (path === CLIENT_PATH && this.#options.clientPackage !== undefined)
      return sendPackage(request, response, this.#options.clientPackage);
    return sendAnswer(request, response, this.#answerPage(request, path), {});
  }

  #answerPage(request: IncomingMessage, path: string): Answer {
    const { query } = parseRequestTarget(request.url);
    const { mailbox, phone } = this.#options;
    switch (path) {
      case ACTION_PATH:
        return this.#answerAction(request, query);
      case LINKS_PATH:
        return this.#answerLink(request, query);
      case '/__/firebase/init.json':
        return this.#answerInit(request, query, 'json');
      case '/__/firebase/init.js':
        return this.#answerInit(request, query, 'js');
      case CLIENT_PATH:
        return plain(
          404,
          'The client package is not built. Start the server with npm, which builds it first.\n',
        );
      default:
        if (phone !== null && path.startsWith(SMS_PATH)) return answerOf(answerSms(phone, path));
        if (mailbox === null || !path.startsWith(MAILBOX_PATH)) return plain(404, 'Page not found.\n');
        return answerOf(answerMailbox(mailbox, path));
    }
  }

  #answerAction(request: IncomingMessage, query: URLSearchParams): Answer {
    const origin = this.#options.transport.originOf(request);
    const address = query.get('continueUrl') ?? '';
    const owner = this.#options.services.projects.findByKey(query.get('apiKey') ?? '');
    const isKnown =
      owner === undefined ||
      (findAuthorizedUrl(address, owner.settings) ?? findHostedUrl(address, origin)) !== undefined;
    if (address !== '' && !isKnown)
      this.#recordRejected(request, { page: ACTION_PATH, project: owner, address });
    const find = (apiKey: string, tenantId: string | undefined) => this.#findProject(apiKey, tenantId);
    const reply = readActionRequest(query, find, origin);
    return reply.kind === 'redirect' ? this.#redirect(303, reply.location) : this.#render(reply.parameters);
  }

  #findProject(apiKey: string, tenantId: string | undefined): Project | undefined {
    const { services } = this.#options;
    const project = services.projects.findByKey(apiKey);
    return project === undefined || tenantId === undefined
      ? project
      : findTenantProject(project, tenantId, services);
  }

  /**
   * Answers a link that should have opened an app but opened in a browser: redirects to the page for the link, or to a
   * URL that the project allows.
   */
  #answerLink(request: IncomingMessage, query: URLSearchParams): Answer {
    const link = query.get('link') ?? query.get('deep_link_id') ?? '';
    const apiKey = URL.parse(link)?.searchParams.get('apiKey') ?? '';
    const project = apiKey === '' ? undefined : this.#options.services.projects.findByKey(apiKey);
    const target = project === undefined ? undefined : this.#findTarget(request, link, project);
    if (target !== undefined) return this.#redirect(302, target);
    this.#recordRejected(request, { page: LINKS_PATH, project, address: link });
    return this.#render({ page: { kind: 'rejected', reason: 'incomplete' } });
  }

  #recordRejected(request: IncomingMessage, redirect: RejectedRedirect): void {
    const { services, transport } = this.#options;
    recordRejectedRedirect(services.audit, transport, request, redirect);
  }

  #findTarget(request: IncomingMessage, link: string, { settings }: Project): string | undefined {
    const own = [settings.mail.actionUrl, `${this.#options.transport.originOf(request)}${ACTION_PATH}`];
    return own.some((page) => page !== null && isPage(link, page))
      ? URL.parse(link)?.href
      : findAuthorizedUrl(link, settings)?.href;
  }

  #answerInit(request: IncomingMessage, query: URLSearchParams, kind: 'json' | 'js'): Answer {
    const { services, defaultProject, transport } = this.#options;
    const apiKey = query.get('key') ?? (defaultProject === null ? '' : ANY_KEY);
    const project = apiKey === '' ? undefined : services.projects.findByKey(apiKey);
    if (project === undefined)
      return plain(404, 'Missing or unknown API key. Use /__/firebase/init.js?key=<API key>.\n');
    const { id } = project;
    const origin = transport.originOf(request);
    const init = firebaseInit({ projectId: id, apiKey, origin, namespace: `${id}-default-rtdb` });
    const type = kind === 'json' ? 'application/json' : 'text/javascript';
    return {
      status: 200,
      headers: {
        'content-type': `${type}; charset=utf-8`,
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'access-control-allow-origin': '*',
      },
      body: wholeText(init[kind]),
    };
  }

  #render(parameters: ActionPageParameters): Answer {
    return renderActionPage(this.#options.pages, parameters, this.#nonce());
  }

  #redirect(status: 302 | 303, location: string): Answer {
    return { status, headers: { ...pageHeaders(this.#nonce()), location }, body: null };
  }

  #nonce(): string {
    return Buffer.from(this.#options.services.randomBytes(NONCE_BYTES)).toString('base64url');
  }
}

/** Sends the client package. For `HEAD`, sends only what precedes the body. */
function sendPackage(request: IncomingMessage, response: ServerResponse, bytes: Buffer): void {
  response.writeHead(200, {
    'content-type': 'application/gzip',
    'content-length': String(bytes.length),
    'cache-control': 'no-cache',
    'x-content-type-options': 'nosniff',
  });
  response.end(request.method === 'HEAD' ? undefined : bytes);
}

/** Returns whether a link leads to the page, with any parameters. */
function isPage(link: string, page: string): boolean {
  const [a, b] = [URL.parse(link), URL.parse(page)];
  return a !== null && b !== null && a.origin === b.origin && a.pathname === b.pathname && a.username === '';
}

function answerOf({ status, headers, body }: MailboxAnswer): Answer {
  return { status, headers, body: wholeText(body) };
}

function plain(status: number, text: string): Answer {
  return {
    status,
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
    body: wholeText(text),
  };
}

/** Matches paths of the pages and of the files that they load. A path that ends in `.json` requests data. */
const PAGES = /^\/__\/(?!.*\.json$)/;
/** The only page whose path ends in `.json`. It hides data of a database at the same path. */
const INIT_JSON = '/__/firebase/init.json';

/** Returns the path of a request for a page that Hearth hosts, or `undefined` for other requests. */
export function hostedPathOf(url: string): string | undefined {
  const pathname = url.split('?', 1).join('');
  const isReceived = [MAILBOX_PATH, SMS_PATH].some(
    (page) => pathname === page || pathname === `${page}.json` || pathname.startsWith(`${page}/`),
  );
  const isPage = PAGES.test(pathname) || pathname === INIT_JSON || isReceived || isSignInPath(pathname);
  return isPage ? pathname : undefined;
}
