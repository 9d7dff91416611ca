import { FirebaseError } from 'firebase/app';
import type { Auth, PopupRedirectResolver } from 'firebase/auth';
import { unsupportedSdk } from './sdk.ts';

/** The result of a popup or a redirect, in the SDK's own format. */
interface AuthEvent {
  readonly type: string;
  readonly eventId: string | null;
  readonly urlResponse: string | null;
  readonly sessionId: string | null;
  readonly postBody: string | null;
  readonly tenantId: string | null;
  readonly error?: { readonly code: string; readonly message: string };
}

/** A sign-in of the SDK that waits for its event. */
interface AuthEventConsumer {
  /** Null for a sign-in that waits for the result of a redirect. */
  readonly eventId: string | null;
  onAuthEvent(event: AuthEvent): unknown;
}

/** The source of events that the SDK uses while a popup or a redirect is open. */
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
  error: { code: 'auth/no-auth-event', message: 'No redirect has returned.' },
};

/**
 * An event manager without a returned redirect: `getRedirectResult` returns null instead of waiting forever.
 */
const IDLE_EVENT_MANAGER: EventManager = {
  registerConsumer(consumer) {
    if (consumer.eventId === null) consumer.onAuthEvent(NO_REDIRECT);
  },
  unregisterConsumer() {},
};

/** The members of an Auth that the resolver uses. */
interface KeyedAuth extends Auth {
  _key(): string;
}

/** The SDK's resolver for browsers, whose members the SDK does not publish. */
interface BrowserResolver {
  readonly eventManagers: Record<string, { readonly manager: EventManager }>;
  _initialize(auth: KeyedAuth): Promise<EventManager>;
  _isIframeWebStorageSupported(auth: KeyedAuth, notify: (isSupported: boolean) => void): void;
  readonly _shouldInitProactively: boolean;
  _openPopup(): Promise<never>;
  _openRedirect(): Promise<never>;
}

/** Members that the class below inherits or replaces. The SDK uses all of them. */
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
 * Returns the class of a resolver that loads no script, or undefined if the SDK has no resolver, as in Node. The class
 * extends the SDK's resolver for browsers, which would load a script from Google: in mobile browsers and Safari,
 * as soon as an Auth exists. Throws if the SDK's resolver lacks an expected member.
 */
export function findPopupRedirectResolver(browserResolver: unknown): PopupRedirectResolver | undefined {
  if (typeof browserResolver !== 'function') return undefined;
  const Base = browserResolver as new () => BrowserResolver;
  const example = new Base();
  const missing = MEMBERS.find((name) => !(name in example));
  if (missing !== undefined) throw unsupportedSdk(`its popup resolver lacks ${missing}`);

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
    `Hearth does not support ${name} yet: use a password, an email link or a custom token.`,
  );
}
