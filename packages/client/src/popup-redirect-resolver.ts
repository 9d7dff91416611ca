import { FirebaseError } from 'firebase/app';
import type { Auth, PopupRedirectResolver } from 'firebase/auth';
import { type EventManager, IDLE_EVENT_MANAGER } from './event-manager.ts';
import { unsupportedSdk } from './unsupported-sdk.ts';

/** The parts of an Auth that the resolver asks for. */
interface KeyedAuth extends Auth {
  _key(): string;
}

/** The SDK's resolver for browsers, whose members it does not publish. */
interface BrowserResolver {
  readonly eventManagers: Record<string, { readonly manager: EventManager }>;
  _initialize(auth: KeyedAuth): Promise<EventManager>;
  _isIframeWebStorageSupported(auth: KeyedAuth, tell: (isSupported: boolean) => void): void;
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
    override _isIframeWebStorageSupported(_auth: KeyedAuth, tell: (isSupported: boolean) => void): void {
      tell(true);
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
