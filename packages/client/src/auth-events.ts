import { FirebaseError } from 'firebase/app';

/** The result of a popup or a redirect, in the SDK's own format. */
export interface AuthEvent {
  readonly type: string;
  readonly eventId: string | null;
  readonly urlResponse: string | null;
  readonly sessionId: string | null;
  readonly postBody: string | null;
  readonly tenantId: string | null;
  readonly error?: { readonly code: string; readonly message: string };
}

/** A sign-in of the SDK that waits for its event. */
export interface AuthEventConsumer {
  /** Null for a sign-in that waits for the result of a redirect. */
  readonly eventId: string | null;
  /** The types of events that the sign-in accepts. */
  readonly filter?: readonly string[];
  onAuthEvent(event: AuthEvent): unknown;
  onError?(error: FirebaseError): unknown;
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

/** The popup of a sign-in. */
interface Popup {
  readonly window: Window;
  /** The origin of the server. Messages of the popup from another origin are those of another page in it. */
  readonly origin: string;
}

/**
 * Receives the events of popups and of the redirect that has returned to this page. A message counts only if the popup of
 * the sign-in sends it from the server's own origin. Without a redirect, `getRedirectResult` is null instead of waiting
 * forever.
 */
export class AuthEvents implements EventManager {
  readonly #readRedirect: () => Promise<AuthEvent | undefined>;
  readonly #consumers = new Set<AuthEventConsumer>();
  readonly #popups = new Map<string, Popup>();
  #isListening = false;

  /** `readRedirect` resolves to the event of the redirect that has returned, and to undefined without one. */
  constructor(readRedirect: () => Promise<AuthEvent | undefined>) {
    this.#readRedirect = readRedirect;
  }

  registerConsumer(consumer: AuthEventConsumer): void {
    if (consumer.eventId === null) void this.#finishRedirect(consumer);
    else this.#consumers.add(consumer);
  }

  unregisterConsumer(consumer: AuthEventConsumer): void {
    this.#consumers.delete(consumer);
    if (consumer.eventId !== null) this.#popups.delete(consumer.eventId);
  }

  /** Expects the event of a popup from now on, until its sign-in ends. */
  expect(eventId: string, popup: Popup): void {
    this.#popups.set(eventId, popup);
    if (this.#isListening) return;
    this.#isListening = true;
    addEventListener('message', (message) => this.#receive(message));
  }

  async #finishRedirect(consumer: AuthEventConsumer): Promise<void> {
    try {
      const event = (await this.#readRedirect()) ?? NO_REDIRECT;
      pass(consumer.filter?.includes(event.type) === false ? NO_REDIRECT : event, consumer);
    } catch (error) {
      consumer.onError?.(error as FirebaseError);
    }
  }

  #receive({ source, origin, data, ports }: MessageEvent): void {
    const event = findEvent(data);
    const popup = event?.eventId == null ? undefined : this.#popups.get(event.eventId);
    if (event === undefined || popup === undefined) return;
    if (source !== popup.window || origin !== popup.origin) return;
    ports[0]?.postMessage(this.#pass(event) ? 'ACK' : 'ERROR');
  }

  /** Passes an event to the sign-in that waits for it. Returns false if none does. */
  #pass(event: AuthEvent): boolean {
    const consumer = [...this.#consumers].find(
      ({ eventId, filter }) => eventId === event.eventId && filter?.includes(event.type) !== false,
    );
    if (consumer === undefined) return false;
    pass(event, consumer);
    return true;
  }
}

function pass(event: AuthEvent, consumer: AuthEventConsumer): void {
  if (event.error === undefined || event === NO_REDIRECT) consumer.onAuthEvent(event);
  else consumer.onError?.(new FirebaseError(event.error.code, event.error.message));
}

/** Returns the event in a message of the server's page; undefined for other messages. */
function findEvent(data: unknown): AuthEvent | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const { type, event } = data as { readonly type?: unknown; readonly event?: unknown };
  if (type !== 'fb-auth-event' || typeof event !== 'object' || event === null) return undefined;
  return event as AuthEvent;
}
