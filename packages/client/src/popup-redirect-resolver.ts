import type { Auth, PopupRedirectResolver } from 'firebase/auth';
import { type AuthEvent, AuthEvents, type EventManager } from './auth-events.ts';
import { originOf } from './passkeys/requests.ts';
import {
  leaveForProvider,
  type RedirectProvider,
  type ReturnedRedirect,
  readRedirectEvent,
  takeReturnedRedirect,
} from './redirect.ts';
import { unsupportedSdk } from './sdk.ts';

/** The members of an Auth that the resolver uses. */
interface KeyedAuth extends Auth {
  _key(): string;
}

/** A popup of the SDK. */
interface AuthPopup {
  readonly window: Window | null;
}

/** The SDK's resolver for browsers, whose members the SDK does not publish. */
interface BrowserResolver {
  readonly eventManagers: Record<string, { readonly manager: EventManager }>;
  _initialize(auth: KeyedAuth): Promise<EventManager>;
  _isIframeWebStorageSupported(auth: KeyedAuth, notify: (isSupported: boolean) => void): void;
  readonly _shouldInitProactively: boolean;
  _openPopup(auth: KeyedAuth, provider: unknown, authType: string, eventId: string): Promise<AuthPopup>;
  _openRedirect(
    auth: KeyedAuth,
    provider: RedirectProvider,
    authType: string,
    eventId?: string,
  ): Promise<never>;
  _originValidation(auth: KeyedAuth): Promise<void>;
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
 * Returns the class of a resolver for popups and redirects that loads no script, or undefined if the SDK has no
 * resolver, as in Node. The class extends the SDK's resolver for browsers, which would load a script from Google: in
 * mobile browsers and Safari, as soon as an Auth exists. Throws if the SDK's resolver lacks an expected member.
 */
export function findPopupRedirectResolver(browserResolver: unknown): PopupRedirectResolver | undefined {
  if (typeof browserResolver !== 'function') return undefined;
  const Base = browserResolver as new () => BrowserResolver;
  const example = new Base();
  const missing = MEMBERS.find((name) => !(name in example));
  if (missing !== undefined) throw unsupportedSdk(`its popup resolver lacks ${missing}`);

  return class extends Base {
    readonly #events = new Map<string, AuthEvents>();

    override get _shouldInitProactively(): boolean {
      return false;
    }
    override async _initialize(auth: KeyedAuth): Promise<EventManager> {
      return this.#eventsOf(auth);
    }
    override _isIframeWebStorageSupported(_auth: KeyedAuth, notify: (isSupported: boolean) => void): void {
      notify(true);
    }
    override async _openPopup(
      auth: KeyedAuth,
      provider: unknown,
      authType: string,
      eventId: string,
    ): Promise<AuthPopup> {
      const events = this.#eventsOf(auth);
      const origin = originOf(auth);
      const popup = await super._openPopup(withHandler(auth, origin), provider, authType, eventId);
      if (popup.window !== null) events.expect(eventId, { window: popup.window, origin });
      return popup;
    }
    override async _openRedirect(
      auth: KeyedAuth,
      provider: RedirectProvider,
      authType: string,
      eventId?: string,
    ): Promise<never> {
      const origin = originOf(auth);
      // Throws before the browser leaves the page if the domain of the app is not authorized.
      await this._originValidation(withHandler(auth, origin));
      await leaveForProvider(auth, origin, provider, authType, eventId);
      // The browser leaves this page.
      return new Promise(() => {});
    }

    #eventsOf(auth: KeyedAuth): AuthEvents {
      const key = auth._key();
      const events = this.#events.get(key) ?? new AuthEvents(() => readReturned(auth));
      this.#events.set(key, events);
      this.eventManagers[key] = { manager: events };
      return events;
    }
  };
}

/** The redirects that have returned to this page, by their Auth. */
const returned = new WeakMap<Auth, ReturnedRedirect>();

/**
 * Moves the result of a redirect from the URL of the page to memory. Called as soon as an Auth exists, before a router of
 * the app changes the URL.
 */
export function keepReturnedRedirect(auth: Auth): void {
  const found = takeReturnedRedirect(auth);
  if (found !== undefined) returned.set(auth, found);
}

/** Returns the event of the redirect that has returned. Later calls return `undefined`. */
async function readReturned(auth: Auth): Promise<AuthEvent | undefined> {
  const found = returned.get(auth);
  returned.delete(auth);
  return found === undefined ? undefined : readRedirectEvent(auth, found);
}

/**
 * Returns an Auth for which the SDK opens the page of the server in a popup. The SDK always uses https, except for the
 * emulator; a server without TLS is in development mode, and has the pages of the emulator.
 */
function withHandler(auth: KeyedAuth, origin: string): KeyedAuth {
  if (!origin.startsWith('http:')) return auth;
  const config = { ...auth.config, emulator: { url: `${origin}/` } };
  return Object.create(auth, { config: { value: config } });
}
