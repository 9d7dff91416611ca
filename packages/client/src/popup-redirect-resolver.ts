import { FirebaseError } from 'firebase/app';
import type { Auth, PopupRedirectResolver } from 'firebase/auth';
import { unsupportedSdk } from './sdk.ts';

/** What a popup or a redirect came to, in the SDK's own form. */
interface AuthEvent {
  readonly type: string;
  readonly eventId: string | null;
  readonly urlResponse: string | null;
  readonly sessionId: string | null;
  readonly postBody: string | null;
  readonly tenantId: string | null;
  readonly error?: { readonly code: string; readonly message: string };
}

/** One sign-in of the SDK that waits for its event. */
interface AuthEventConsumer {
  /** Null for one that waits for the result of a redirect. */
  readonly eventId: string | null;
  onAuthEvent(event: AuthEvent): unknown;
}

/** What the SDK expects to hear from while a popup or a redirect is under way. */
export interface EventManager {
  registerConsumer(consumer: AuthEventConsumer): void;
  unregisterConsumer(consumer: AuthEventConsumer): void;
}

const NO_REDIRECT: AuthEvent = {
  type: 'unknown',
  eventId: null,
  urlResponse: null,
  sessionId: null,
  postBody: null,
  tenantId: null,
  error: { code: 'auth/no-auth-event', message: 'No redirect has come back.' },
};

/** An event manager to which no redirect has come back: `getRedirectResult` gets null instead of waiting for ever. */
const IDLE_EVENT_MANAGER: EventManager = {
  registerConsumer(consumer) {
    if (consumer.eventId === null) consumer.onAuthEvent(NO_REDIRECT);
  },
  unregisterConsumer() {},
};

/** The parts of an Auth that the resolver asks for. */
interface KeyedAuth extends Auth {
  _key(): string;
}

/** The SDK's resolver for browsers, whose members it does not publish. */
interface BrowserResolver {
  readonly eventManagers: Record<string, { readonly manager: EventManager }>;
  _initialize(auth: KeyedAuth): Promise<EventManager>;
  _isIframeWebStorageSupported(auth: KeyedAuth, notify: (isSupported: boolean) => void): void;
  readonly _shouldInitProactively: boolean;
  _openPopup(): Promise<never>;
  _openRedirect(): Promise<never>;
}

/** Members that are inherited or replaced; the SDK calls all of them. */
const MEMBERS: readonly string[] = [
  'eventManagers',
  '_initialize',
  '_isIframeWebStorageSupported',
  '_shouldInitProactively',
  '_openPopup',
  '_openRedirect',
  '_originValidation',
  '_redirectPersistence',
  '_completeRedirectFn',
  '_overrideRedirectResult',
];

/**
 * A resolver that asks nobody but the server, made from the SDK's own for browsers, which would load a script of Google's:
 * in mobile browsers and Safari as soon as there is an Auth. Undefined where the SDK has none, as in Node. Throws if the SDK's
 * has become another.
 */
export function findPopupRedirectResolver(browserResolver: unknown): PopupRedirectResolver | undefined {
  if (typeof browserResolver !== 'function') return undefined;
  const Base = browserResolver as new () => BrowserResolver;
  const example = new Base();
  const missing = MEMBERS.find((name) => !(name in example));
  if (missing !== undefined) throw unsupportedSdk(`its popup resolver has lost a part (${missing})`);

  return class extends Base {
    override get _shouldInitProactively(): boolean {
      return false;
    }
    override async _initialize(auth: KeyedAuth): Promise<EventManager> {
      this.eventManagers[auth._key()] = { manager: IDLE_EVENT_MANAGER };
      return IDLE_EVENT_MANAGER;
    }
    override _isIframeWebStorageSupported(_auth: KeyedAuth, notify: (isSupported: boolean) => void): void {
      notify(true);
    }
    override async _openPopup(): Promise<never> {
      throw notYetSupported('signInWithPopup');
    }
    override async _openRedirect(): Promise<never> {
      throw notYetSupported('signInWithRedirect');
    }
  };
}

function notYetSupported(name: string): FirebaseError {
  return new FirebaseError(
    'auth/operation-not-supported-in-this-environment',
    `Hearth does not offer ${name} yet: sign in with a password, an e-mail link or a custom token.`,
  );
}
