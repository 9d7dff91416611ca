import { type PageAppCheck, pageAppCheckOf } from '../auth/app-check/app-check-settings.ts';
import { ACTION_MODES, type CodeKind } from '../auth/codes/code.ts';
import { findAuthorizedUrl, findHostedUrl } from '../auth/codes/links.ts';
import type { Project } from '../auth/projects/project.ts';
import type { Answer } from '../http/response.ts';
import { type BuiltPages, pageHeaders, renderBuiltPage } from '../http/static-pages.ts';
import { type PageLook, pageLookOf } from './page-look.ts';

/** The purposes of the link in a mail, except for sign-in, which the app completes itself. */
type ActionMode = Exclude<(typeof ACTION_MODES)[CodeKind], (typeof ACTION_MODES)['EMAIL_SIGNIN']>;

/**
 * The content of the page: a link whose code the page will check, or a link that is rejected without checking
 * its code. `noContinueUrl` means a sign-in link without a `continueUrl` that the project allows.
 */
export type ActionPage =
  | {
      readonly kind: 'action';
      readonly mode: ActionMode;
      readonly oobCode: string;
      readonly apiKey: string;
      /** Only a URL that the project allows. */
      readonly continueUrl?: string | undefined;
      readonly tenantId?: string | undefined;
      /** `undefined` if the server ignores the App Check tokens of requests. */
      readonly appCheck?: PageAppCheck | undefined;
      readonly look: PageLook;
    }
  | {
      readonly kind: 'rejected';
      readonly reason: 'incomplete' | 'unknownMode' | 'noContinueUrl' | 'wrongProject';
    };

export interface ActionPageParameters {
  readonly page: ActionPage;
  /** The language in the link, which is not checked. Without it, the browser's preference applies. */
  readonly lang?: string | undefined;
}

/**
 * Renders the page to which the link in a mail leads, with its parameters. The status is 400 for a rejected
 * link, and 503 if the page was not built. `styleNonce` must not be guessable, and must differ for each
 * response.
 */
export function renderActionPage(
  pages: BuiltPages,
  { page, lang }: ActionPageParameters,
  styleNonce: string,
): Answer {
  return renderBuiltPage(pages, {
    status: page.kind === 'rejected' ? 400 : 200,
    headers: pageHeaders(styleNonce),
    parameters: { page, lang, styleNonce },
  });
}

/** The response to a request for the page of a link. */
export type ActionReply =
  | { readonly kind: 'page'; readonly parameters: ActionPageParameters }
  /** The app completes the sign-in. */
  | { readonly kind: 'redirect'; readonly location: string };

const MODES = Object.values(ACTION_MODES);
/** Parameters that are passed on to an app. */
const SIGN_IN_PARAMETERS = ['mode', 'oobCode', 'apiKey', 'lang', 'tenantId'];

/**
 * Reads the link of a mail. Does not use up the code: programs that scan mails also open links. `findProject`
 * returns the project of an API key, or of a tenant of it; `origin` is that of the server.
 */
export function readActionRequest(
  query: URLSearchParams,
  findProject: (apiKey: string, tenantId: string | undefined) => Project | undefined,
  origin: string,
): ActionReply {
  const lang = query.get('lang') ?? undefined;
  const [text, oobCode, apiKey] = ['mode', 'oobCode', 'apiKey'].map((name) => query.get(name) ?? '');
  if (!text || !oobCode || !apiKey) return denied('incomplete', lang);
  const mode = MODES.find((known) => known === text);
  if (mode === undefined) return denied('unknownMode', lang);
  const tenantId = query.get('tenantId') || undefined;
  const project = findProject(apiKey, tenantId);
  if (project === undefined) return denied('wrongProject', lang);
  const target = query.get('continueUrl') ?? '';
  const continueUrl = findAuthorizedUrl(target, project.settings) ?? findHostedUrl(target, origin);
  if (mode === ACTION_MODES.EMAIL_SIGNIN)
    return continueUrl === undefined ? denied('noContinueUrl', lang) : signInAt(continueUrl, query);
  const page = {
    kind: 'action',
    mode,
    oobCode,
    apiKey,
    continueUrl: continueUrl?.href,
    tenantId,
    appCheck: pageAppCheckOf(project.settings.appCheck),
    look: pageLookOf(project),
  } as const;
  return { kind: 'page', parameters: { page, lang } };
}

function denied(
  reason: 'incomplete' | 'unknownMode' | 'noContinueUrl' | 'wrongProject',
  lang: string | undefined,
): ActionReply {
  return { kind: 'page', parameters: { page: { kind: 'rejected', reason }, lang } };
}

function signInAt(continueUrl: URL, query: URLSearchParams): ActionReply {
  const target = new URL(continueUrl);
  for (const name of SIGN_IN_PARAMETERS) {
    const value = query.get(name);
    if (value !== null) target.searchParams.set(name, value);
  }
  return { kind: 'redirect', location: target.href };
}
