import { findAuthorizedUrl } from '../../accounts/codes/authorized-domains.ts';
import { ACTION_MODES } from '../../accounts/codes/code-purpose.ts';
import type { Project } from '../../accounts/project.ts';
import type { ActionPageParameters } from './action-page.ts';

/** What a request for the page of a link is answered with. */
export type ActionReply =
  | { readonly kind: 'page'; readonly parameters: ActionPageParameters }
  /** The app does the rest. */
  | { readonly kind: 'redirect'; readonly location: string };

const MODES = Object.values(ACTION_MODES);
/** Handed on to an app. */
const SIGN_IN_PARAMETERS = ['mode', 'oobCode', 'apiKey', 'lang'];

/**
 * Reads the link of a mail. Nothing is used up by that: programs that look at mails follow links too. `findProject` finds the
 * project of an API key.
 */
export function readActionRequest(
  query: URLSearchParams,
  findProject: (apiKey: string) => Project | undefined,
): ActionReply {
  const lang = query.get('lang') ?? undefined;
  const [text, oobCode, apiKey] = ['mode', 'oobCode', 'apiKey'].map((name) => query.get(name) ?? '');
  if (!text || !oobCode || !apiKey) return refused('incomplete', lang);
  const mode = MODES.find((known) => known === text);
  if (mode === undefined) return refused('unknownMode', lang);
  const project = findProject(apiKey);
  if (project === undefined) return refused('wrongProject', lang);
  const continueUrl = findAuthorizedUrl(query.get('continueUrl') ?? '', project.settings);
  if (mode === ACTION_MODES.EMAIL_SIGNIN)
    return continueUrl === undefined ? refused('noContinueUrl', lang) : signInAt(continueUrl, query);
  const page = { kind: 'action', mode, oobCode, apiKey } as const;
  return { kind: 'page', parameters: { page: { ...page, continueUrl: continueUrl?.href }, lang } };
}

function refused(
  reason: 'incomplete' | 'unknownMode' | 'noContinueUrl' | 'wrongProject',
  lang: string | undefined,
): ActionReply {
  return { kind: 'page', parameters: { page: { kind: 'refused', reason }, lang } };
}

function signInAt(continueUrl: URL, query: URLSearchParams): ActionReply {
  const target = new URL(continueUrl);
  for (const name of SIGN_IN_PARAMETERS) {
    const value = query.get(name);
    if (value !== null) target.searchParams.set(name, value);
  }
  return { kind: 'redirect', location: target.href };
}
