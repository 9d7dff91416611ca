import { findRecord, findText, isRecord, type JsonRecord } from '../action/api.ts';
import { parseLook } from '../action/look.ts';
import { parseWebAddress } from '../action/parameters.ts';
import { type AppCheckNeeds, parseAppCheckNeeds } from '../action/proofs.ts';
import type { HandlerProblem } from '../handler/parameters.ts';
import type { AppLook } from '../shell/app-look.ts';

const SCREENS = ['sign-in', 'sign-up', 'account'] as const;
const PROBLEMS = ['incomplete', 'wrongProject', 'unknownTenant', 'unauthorizedDomain'] as const;

/** The settings of the project that the page needs. */
export interface HostedProject {
  readonly name: string;
  readonly isPasswordEnabled: boolean;
  /** Whether users may sign in with a link in a mail. */
  readonly isEmailLinkEnabled: boolean;
  /** Whether users may sign in with a code in a text message. */
  readonly isPhoneEnabled: boolean;
  readonly isSignUpEnabled: boolean;
  readonly isDeletionEnabled: boolean;
  readonly arePasskeysEnabled: boolean;
  /** Whether users may add an authenticator app as a second factor. */
  readonly isTotpEnabled: boolean;
  /** Whether users may add a phone as a second factor. */
  readonly isSmsFactorEnabled: boolean;
  /** Undefined if the server ignores the App Check tokens of requests. */
  readonly appCheck: AppCheckNeeds | undefined;
  /** Other providers with which users may sign in. */
  readonly providers: readonly OfferedProvider[];
}

/** A provider that the page offers. */
export interface OfferedProvider {
  readonly id: string;
  readonly name: string;
}

/** A request of an app for the page. */
export interface HostedStart {
  readonly kind: 'start';
  readonly screen: (typeof SCREENS)[number];
  readonly apiKey: string;
  /** The tenant to whose accounts the user belongs; undefined for those of the project. */
  readonly tenantId: string | undefined;
  /** The page of the app. */
  readonly redirectUrl: URL;
  readonly state: string;
  /** Empty if the page creates no code for the app: on the account page, and behind a link in a mail. */
  readonly challenge: string;
  /** The code in the link of a mail; undefined if no link led to the page. */
  readonly linkCode: string | undefined;
  readonly isPopup: boolean;
  readonly project: HostedProject;
}

export type HostedPage = HostedStart | { readonly kind: 'problem'; readonly problem: HandlerProblem };

/** Parameters that the server writes into the page. */
export interface HostedParameters {
  readonly page: HostedPage;
  /** The look of the app; undefined if the page has a problem. */
  readonly look: AppLook | undefined;
  /** The language that the app asks for. */
  readonly lang: string | undefined;
  /** Nonce that the Content Security Policy requires on style elements. */
  readonly styleNonce: string | undefined;
}

export function parseHostedParameters(json: unknown): HostedParameters {
  const record = isRecord(json) ? json : {};
  const page = findRecord(record, 'page') ?? {};
  return {
    page: parsePage(page),
    look: parseLook(findRecord(page, 'look')),
    lang: findText(record, 'lang'),
    styleNonce: findText(record, 'styleNonce'),
  };
}

function parsePage(record: JsonRecord): HostedPage {
  const screen = SCREENS.find((known) => known === record['screen']);
  const apiKey = findText(record, 'apiKey');
  const redirectUrl = parseWebAddress(findText(record, 'redirectUrl'));
  if (screen === undefined || apiKey === undefined || redirectUrl === undefined)
    return {
      kind: 'problem',
      problem: PROBLEMS.find((known) => known === record['problem']) ?? 'incomplete',
    };
  return {
    kind: 'start',
    screen,
    apiKey,
    tenantId: findText(record, 'tenantId'),
    redirectUrl,
    state: findText(record, 'state') ?? '',
    challenge: findText(record, 'challenge') ?? '',
    linkCode: findText(record, 'linkCode'),
    isPopup: record['isPopup'] === true,
    project: parseProject(findRecord(record, 'project') ?? {}),
  };
}

function parseProject(record: JsonRecord): HostedProject {
  return {
    name: findText(record, 'name') ?? '',
    isPasswordEnabled: record['isPasswordEnabled'] === true,
    isEmailLinkEnabled: record['isEmailLinkEnabled'] === true,
    isPhoneEnabled: record['isPhoneEnabled'] === true,
    isSignUpEnabled: record['isSignUpEnabled'] === true,
    isDeletionEnabled: record['isDeletionEnabled'] === true,
    arePasskeysEnabled: record['arePasskeysEnabled'] === true,
    isTotpEnabled: record['isTotpEnabled'] === true,
    isSmsFactorEnabled: record['isSmsFactorEnabled'] === true,
    appCheck: parseAppCheckNeeds(record),
    providers: parseProviders(record['providers']),
  };
}

function parseProviders(value: unknown): readonly OfferedProvider[] {
  return (Array.isArray(value) ? value : []).filter(isRecord).flatMap((provider) => {
    const id = findText(provider, 'id');
    return id === undefined ? [] : [{ id, name: findText(provider, 'name') ?? id }];
  });
}
