import { type PageAppCheck, pageAppCheckOf } from '../auth/app-check/app-check-settings.ts';
import { ACTION_MODES } from '../auth/codes/code.ts';
import { CHALLENGE } from '../auth/flows/app-secret.ts';
import type { OfferedProvider } from '../auth/flows/offered-providers.ts';
import { findAppUrl, type StartContext } from '../auth/flows/start-request.ts';
import type { Project } from '../auth/projects/project.ts';
import { isConsoleKey } from '../auth/projects/projects.ts';
import { type PageLook, pageLookOf } from './page-look.ts';

const SCREENS = ['sign-in', 'sign-up', 'account'] as const;

type HostedScreen = (typeof SCREENS)[number];

/** A request of an app for the hosted pages. */
interface HostedStart {
  readonly kind: 'start';
  readonly screen: HostedScreen;
  readonly apiKey: string;
  /** The tenant to whose accounts the user belongs; `null` for those of the project. */
  readonly tenantId: string | null;
  /** The page of the app. The project has authorized it. */
  readonly redirectUrl: string;
  readonly state: string;
  /**
   * The SHA-256 of a secret of the app, as base64url; empty for the account page and behind a link in a mail, which send
   * no code to the app.
   */
  readonly challenge: string;
  readonly isPopup: boolean;
  /** The code in the link of a mail with which the user signs in; `null` if no link led to the page. */
  readonly linkCode: string | null;
}

/** The settings of the project that the page needs. */
interface HostedProject {
  readonly name: string;
  readonly isPasswordEnabled: boolean;
  /** Whether users may sign in with a link in a mail. */
  readonly isEmailLinkEnabled: boolean;
  /** Whether users may sign in with a code in a text message, and the project has a service that sends it. */
  readonly isPhoneEnabled: boolean;
  readonly isSignUpEnabled: boolean;
  readonly isDeletionEnabled: boolean;
  readonly arePasskeysEnabled: boolean;
  /** Whether users may add an authenticator app as a second factor. */
  readonly isTotpEnabled: boolean;
  /** Whether users may add a phone as a second factor, and the project has a service that sends messages. */
  readonly isSmsFactorEnabled: boolean;
  /** `undefined` if the server ignores the App Check tokens of requests. */
  readonly appCheck?: PageAppCheck | undefined;
  /** Other providers with which users may sign in. */
  readonly providers: readonly OfferedProvider[];
}

/**
 * The content of the page, or a problem. A problem is not sent to the app, because the app may not belong to the
 * project.
 */
export type HostedPage =
  | (HostedStart & { readonly project: HostedProject; readonly look: PageLook })
  | {
      readonly kind: 'problem';
      readonly problem: 'incomplete' | 'wrongProject' | 'unknownTenant' | 'unauthorizedDomain';
    };

/** The data of the server that the page needs. */
export interface HostedContext extends StartContext {
  readonly listProviders: (project: Project) => readonly OfferedProvider[];
}

/** Longest text that the page returns to the app, in UTF-16 code units. */
const MAX_STATE_LENGTH = 1_024;

/** Reads the address of the hosted sign-in page. */
export function readHostedPage(query: URLSearchParams, context: HostedContext): HostedPage {
  const read = (name: string) => query.get(name) ?? '';
  const [apiKey, redirectUrl, state, challenge] = [
    read('apiKey'),
    read('redirectUrl'),
    read('state'),
    read('challenge'),
  ];
  const screen = SCREENS.find((known) => known === (query.get('screen') ?? 'sign-in'));
  if (apiKey === '' || screen === undefined || state.length > MAX_STATE_LENGTH) return problem('incomplete');
  const owner = isConsoleKey(apiKey) ? undefined : context.findProject(apiKey);
  if (owner === undefined) return problem('wrongProject');
  const tenantId = query.get('tid') || null;
  const project = tenantId === null ? owner : context.findTenant(owner, tenantId);
  if (project === undefined) return problem('unknownTenant');
  const isLink = query.get('mode') === ACTION_MODES.EMAIL_SIGNIN;
  const sendsCode = screen !== 'account' && !isLink;
  if (redirectUrl === '' || (sendsCode && !CHALLENGE.test(challenge))) return problem('incomplete');
  const url = findAppUrl(redirectUrl, project, context);
  if (url === undefined) return problem('unauthorizedDomain');
  return {
    kind: 'start',
    screen,
    apiKey,
    tenantId,
    redirectUrl: url.href,
    state,
    challenge: sendsCode ? challenge : '',
    isPopup: sendsCode && query.get('display') === 'popup',
    linkCode: isLink ? query.get('oobCode') || null : null,
    project: describe(project, context),
    look: pageLookOf(project),
  };
}

function problem(reason: Extract<HostedPage, { readonly kind: 'problem' }>['problem']): HostedPage {
  return { kind: 'problem', problem: reason };
}

function describe(project: Project, { listProviders }: HostedContext): HostedProject {
  const { id, settings } = project;
  const { secondFactor } = settings;
  const sendsSms = settings.sms.driver !== null;
  return {
    name: settings.mail.appName ?? id,
    isPasswordEnabled: settings.signIn.isEmailEnabled,
    isEmailLinkEnabled: settings.signIn.isEmailLinkEnabled,
    isPhoneEnabled: settings.signIn.isPhoneEnabled && sendsSms,
    isSignUpEnabled: settings.isSignUpEnabled,
    isDeletionEnabled: settings.isDeletionEnabled,
    arePasskeysEnabled: settings.passkeys.isEnabled,
    isTotpEnabled: secondFactor.state !== 'DISABLED' && secondFactor.isTotpEnabled,
    isSmsFactorEnabled: secondFactor.state !== 'DISABLED' && secondFactor.isSmsEnabled && sendsSms,
    appCheck: pageAppCheckOf(settings.appCheck),
    providers: listProviders(project),
  };
}
