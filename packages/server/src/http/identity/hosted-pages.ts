import type { IncomingMessage, ServerResponse } from 'node:http';
import { ACTION_PATH, LINKS_PATH } from '../../accounts/codes/action-link.ts';
import { findAuthorizedUrl } from '../../accounts/codes/authorized-domains.ts';
import type { IdentityServices } from '../../accounts/identity-services.ts';
import type { Project } from '../../accounts/project.ts';
import { answerMailbox } from '../../mail/answer-mailbox.ts';
import type { DevMailbox } from '../../mail/dev-mailbox.ts';
import { MAILBOX_PATH } from '../../mail/mailbox-page.ts';
import { type Answer, sendAnswer, wholeText } from '../answer.ts';
import type { BuiltPages } from '../built-pages.ts';
import type { IdentityEndpoint } from '../identity-endpoint.ts';
import { pageHeaders } from '../page-headers.ts';
import { parseRequestTarget } from '../request-target.ts';
import { sendPageAsset } from '../send-page-asset.ts';
import type { Transport } from '../transport.ts';
import { type ActionPageParameters, renderActionPage } from './action-page.ts';
import { readActionRequest } from './action-request.ts';
import { firebaseInit } from './firebase-init.ts';

export interface HostedPagesOptions {
  readonly services: Pick<IdentityServices, 'projects' | 'randomBytes'>;
  readonly transport: Pick<Transport, 'originOf'>;
  readonly pages: BuiltPages;
  /** Where mails go in development mode; `null` otherwise. */
  readonly mailbox: DevMailbox | null;
  /** The project of pages that name none; `null` where they have to. */
  readonly defaultProject: string | null;
}

const ASSETS = '/__/auth/assets/';
const NONCE_BYTES = 16;
/** The key of development mode, where any is good. */
const ANY_KEY = 'fake-api-key';

/** The pages that Hearth hosts for the apps of its projects: behind the links of mails, and what apps are configured by. */
export class HostedPages implements IdentityEndpoint {
  readonly #options: HostedPagesOptions;

  constructor(options: HostedPagesOptions) {
    this.#options = options;
  }

  async answer(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    const asset = path.startsWith(ASSETS)
      ? this.#options.pages.assets.get(path.slice(ASSETS.length))
      : undefined;
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return sendAnswer(request, response, plain(405, 'There are only pages to GET here.\n'), {
        allow: 'GET, HEAD',
      });
    if (asset !== undefined) {
      await sendPageAsset(request, response, asset);
      return;
    }
    return sendAnswer(request, response, this.#answerPage(request, path), {});
  }

  #answerPage(request: IncomingMessage, path: string): Answer {
    const { query } = parseRequestTarget(request.url);
    const { mailbox } = this.#options;
    switch (path) {
      case ACTION_PATH:
        return this.#answerAction(query);
      case LINKS_PATH:
        return this.#answerLink(request, query);
      case '/__/firebase/init.json':
        return this.#answerInit(request, query, 'json');
      case '/__/firebase/init.js':
        return this.#answerInit(request, query, 'js');
      default:
        if (mailbox === null || !path.startsWith(MAILBOX_PATH)) return plain(404, 'There is no such page.\n');
        return fromMailbox(mailbox, path);
    }
  }

  #answerAction(query: URLSearchParams): Answer {
    const reply = readActionRequest(query, (apiKey) => this.#options.services.projects.findByKey(apiKey));
    return reply.kind === 'redirect' ? this.#redirect(303, reply.location) : this.#render(reply.parameters);
  }

  /** A link for an app, followed where there is none: it goes on to the page, or to wherever the project lets people go. */
  #answerLink(request: IncomingMessage, query: URLSearchParams): Answer {
    const link = query.get('link') ?? query.get('deep_link_id') ?? '';
    const apiKey = URL.parse(link)?.searchParams.get('apiKey') ?? '';
    const project = apiKey === '' ? undefined : this.#options.services.projects.findByKey(apiKey);
    const target = project === undefined ? undefined : this.#findTarget(request, link, project);
    if (target !== undefined) return this.#redirect(302, target);
    return this.#render({ page: { kind: 'refused', reason: 'incomplete' } });
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
      return plain(404, 'Name a project by its API key: /__/firebase/init.js?key=…\n');
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

/** Does a link lead to a page, with whatever parameters? */
function isPage(link: string, page: string): boolean {
  const [a, b] = [URL.parse(link), URL.parse(page)];
  return a !== null && b !== null && a.origin === b.origin && a.pathname === b.pathname && a.username === '';
}

function fromMailbox(mailbox: DevMailbox, path: string): Answer {
  const { status, headers, body } = answerMailbox(mailbox, path);
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
