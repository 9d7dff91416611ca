import type { AppLook } from '../shell/app-look.ts';
import { findRecord, findText, isRecord, type JsonRecord } from './api.ts';
import { parseLook } from './look.ts';
import { type AppCheckNeeds, parseAppCheckNeeds } from './proofs.ts';

/** The modes of email links that open this page. A sign-in link opens the app, or is rejected with `noContinueUrl`. */
const MODES = [
  'resetPassword',
  'verifyEmail',
  'verifyAndChangeEmail',
  'recoverEmail',
  'revertSecondFactorAddition',
] as const;

export type ActionMode = (typeof MODES)[number];

/** Why the server rejects a link before it checks the code. */
const LINK_PROBLEMS = ['incomplete', 'unknownMode', 'noContinueUrl', 'wrongProject'] as const;

export type LinkProblem = (typeof LINK_PROBLEMS)[number];

/** A link that the server accepted. The domain of `continueUrl` is authorized in the project. */
export interface ActionLink {
  readonly kind: 'action';
  readonly mode: ActionMode;
  readonly oobCode: string;
  readonly apiKey: string;
  readonly continueUrl: URL | undefined;
  readonly tenantId: string | undefined;
  /** Undefined if the server ignores the App Check tokens of requests. */
  readonly appCheck: AppCheckNeeds | undefined;
}

/** The link, or the reason why the server rejected it. */
export type ActionPage = ActionLink | { readonly kind: 'rejected'; readonly reason: LinkProblem };

/** Parameters that the server writes into the page. */
export interface ActionParameters {
  readonly page: ActionPage;
  /** The look of the app; undefined if the link names none. */
  readonly look: AppLook | undefined;
  readonly lang: string | undefined;
  /** Nonce that the Content Security Policy requires on style elements. */
  readonly styleNonce: string | undefined;
}

/**
 * Parses the parameters. If a required value of the link is missing or invalid, the page has the reason that the server
 * gave, or else `incomplete`.
 */
export function parseActionParameters(json: unknown): ActionParameters {
  const record = isRecord(json) ? json : {};
  const page = findRecord(record, 'page') ?? {};
  return {
    page: parsePage(page),
    look: parseLook(findRecord(page, 'look')),
    lang: findText(record, 'lang'),
    styleNonce: findText(record, 'styleNonce'),
  };
}

function parsePage(record: JsonRecord): ActionPage {
  const [mode, oobCode, apiKey] = [
    MODES.find((known) => known === record['mode']),
    findText(record, 'oobCode'),
    findText(record, 'apiKey'),
  ];
  if (mode === undefined || oobCode === undefined || apiKey === undefined) {
    const reason = LINK_PROBLEMS.find((known) => known === record['reason']) ?? 'incomplete';
    return { kind: 'rejected', reason };
  }
  const continueUrl = parseWebAddress(findText(record, 'continueUrl'));
  return {
    kind: 'action',
    mode,
    oobCode,
    apiKey,
    continueUrl,
    tenantId: findText(record, 'tenantId'),
    appCheck: parseAppCheckNeeds(record),
  };
}

/** Parses an `http` or `https` URL. The server checks this too, but a `javascript:` URL would run in this page. */
export function parseWebAddress(text: string | undefined): URL | undefined {
  if (text === undefined) return undefined;
  try {
    const url = new URL(text);
    return /^https?:$/.test(url.protocol) ? url : undefined;
  } catch {
    // Not `URL.parse`, which some supported browsers lack.
    return undefined;
  }
}

/** Removes the code from the address, so that neither the history nor the screen reveals it. */
export function hideCode(): void {
  const url = new URL(location.href);
  url.searchParams.delete('oobCode');
  history.replaceState(null, '', url);
}
