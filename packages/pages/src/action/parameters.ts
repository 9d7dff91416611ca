import { findRecord, findText, isRecord, type JsonRecord } from './api.ts';

/** What the link in a mail can be for; a link to sign in never leads here, unless it leads nowhere else. */
const MODES = [
  'resetPassword',
  'verifyEmail',
  'verifyAndChangeEmail',
  'recoverEmail',
  'revertSecondFactorAddition',
] as const;

export type ActionMode = (typeof MODES)[number];

/** Why the server refuses a link without looking at its code. */
const LINK_PROBLEMS = ['incomplete', 'unknownMode', 'noContinueUrl', 'wrongProject'] as const;

export type LinkProblem = (typeof LINK_PROBLEMS)[number];

/** A link that the server let pass. `continueUrl` leads to a domain that the project allows. */
export interface ActionLink {
  readonly kind: 'action';
  readonly mode: ActionMode;
  readonly oobCode: string;
  readonly apiKey: string;
  readonly continueUrl: URL | undefined;
  readonly tenantId: string | undefined;
}

/** What the page is about. */
export type ActionPage = ActionLink | { readonly kind: 'refused'; readonly reason: LinkProblem };

/** What the server says to the page. */
export interface ActionParameters {
  readonly page: ActionPage;
  readonly lang: string | undefined;
  /** Allows style elements. */
  readonly styleNonce: string | undefined;
}

/** Anything unexpected makes an incomplete link. */
export function parseActionParameters(json: unknown): ActionParameters {
  const record = isRecord(json) ? json : {};
  return {
    page: parsePage(findRecord(record, 'page') ?? {}),
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
    return { kind: 'refused', reason };
  }
  const continueUrl = parseWebAddress(findText(record, 'continueUrl'));
  return { kind: 'action', mode, oobCode, apiKey, continueUrl, tenantId: findText(record, 'tenantId') };
}

/** Only what a browser opens as a page: the server checks this too, but a `javascript:` address would run here. */
function parseWebAddress(text: string | undefined): URL | undefined {
  if (text === undefined) return undefined;
  try {
    const url = new URL(text);
    return /^https?:$/.test(url.protocol) ? url : undefined;
  } catch {
    // `URL.parse` would return null instead, but not every browser that runs these modules has it.
    return undefined;
  }
}

/** Takes the code out of the address, so that neither the history nor a look at the screen gives it away. */
export function hideCode(): void {
  const url = new URL(location.href);
  url.searchParams.delete('oobCode');
  history.replaceState(null, '', url);
}
