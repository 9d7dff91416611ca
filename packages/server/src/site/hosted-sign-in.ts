import { findAppUrl, type StartContext } from '../auth/flows/start-request.ts';
import { CHALLENGE } from '../auth/hosted/code-methods.ts';
import type { Project } from '../auth/projects/project.ts';
import { isConsoleKey } from '../auth/projects/projects.ts';

const SCREENS = ['sign-in', 'sign-up'] as const;

type HostedScreen = (typeof SCREENS)[number];

/** A request of an app for the hosted sign-in page. */
interface HostedStart {
  readonly kind: 'start';
  readonly screen: HostedScreen;
  readonly apiKey: string;
  /** The page of the app. The project has authorized it. */
  readonly redirectUrl: string;
  readonly state: string;
  /** The SHA-256 of a secret of the app, as base64url. */
  readonly challenge: string;
  readonly isPopup: boolean;
}

/** What the page needs to know of the project. */
interface HostedProject {
  readonly name: string;
  readonly isPasswordEnabled: boolean;
  readonly isSignUpEnabled: boolean;
  readonly arePasskeysEnabled: boolean;
}

/** Nothing is sent to the app if there is a problem, because it may not be an app of the project. */
export type HostedPage =
  | (HostedStart & { readonly project: HostedProject })
  | {
      readonly kind: 'problem';
      readonly problem: 'incomplete' | 'wrongProject' | 'unauthorizedDomain' | 'unsupported';
    };

/** Longest text that the page returns to the app, in UTF-16 code units. */
const MAX_STATE_LENGTH = 1_024;

/** Reads the address of the hosted sign-in page. */
export function readHostedPage(query: URLSearchParams, context: StartContext): HostedPage {
  const [apiKey, redirectUrl, state, challenge] = ['apiKey', 'redirectUrl', 'state', 'challenge'].map(
    (name) => query.get(name) ?? '',
  );
  const screen = SCREENS.find((known) => known === (query.get('screen') ?? 'sign-in'));
  if (!apiKey || screen === undefined || (state ?? '').length > MAX_STATE_LENGTH)
    return problem('incomplete');
  if (query.get('tid')) return problem('unsupported');
  const project = isConsoleKey(apiKey) ? undefined : context.findProject(apiKey);
  if (project === undefined) return problem('wrongProject');
  if (!redirectUrl || !CHALLENGE.test(challenge ?? '')) return problem('incomplete');
  const url = findAppUrl(redirectUrl, project, context);
  if (url === undefined) return problem('unauthorizedDomain');
  return {
    kind: 'start',
    screen,
    apiKey,
    redirectUrl: url.href,
    state: state ?? '',
    challenge: challenge ?? '',
    isPopup: query.get('display') === 'popup',
    project: describe(project),
  };
}

function problem(reason: Extract<HostedPage, { readonly kind: 'problem' }>['problem']): HostedPage {
  return { kind: 'problem', problem: reason };
}

function describe({ id, settings }: Project): HostedProject {
  return {
    name: settings.mail.appName ?? id,
    isPasswordEnabled: settings.signIn.isEmailEnabled,
    isSignUpEnabled: settings.isSignUpEnabled,
    arePasskeysEnabled: settings.passkeys.isEnabled,
  };
}
