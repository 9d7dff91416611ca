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
export const IDLE_EVENT_MANAGER: EventManager = {
  registerConsumer(consumer) {
    if (consumer.eventId === null) consumer.onAuthEvent(NO_REDIRECT);
  },
  unregisterConsumer() {},
};
