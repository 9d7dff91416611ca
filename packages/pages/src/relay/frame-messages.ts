import { type AppKey, storageKeyOf } from './app-key.ts';
import { type AuthEvent, parseAuthEvent } from './auth-event.ts';

/** The message with which a popup passes an event to the frame of the app. The official pages use the same format. */
export interface SendAuthEvent {
  readonly eventType: 'sendAuthEvent';
  readonly eventId: string;
  readonly data: { readonly authEvent: AuthEvent; readonly storageKey: string };
}

export function sendAuthEventMessage(app: AppKey, authEvent: AuthEvent): SendAuthEvent {
  const data = { authEvent, storageKey: storageKeyOf(app) };
  return { eventType: 'sendAuthEvent', eventId: crypto.randomUUID(), data };
}

/** Returns the event in a message for an app. Returns undefined for other messages. */
export function parseSendAuthEvent(message: unknown, app: AppKey): AuthEvent | undefined {
  if (typeof message !== 'object' || message === null) return undefined;
  const { eventType, data } = message as Readonly<Record<string, unknown>>;
  if (eventType !== 'sendAuthEvent' || typeof data !== 'object' || data === null) return undefined;
  const { authEvent, storageKey } = data as Readonly<Record<string, unknown>>;
  return storageKey === storageKeyOf(app) ? parseAuthEvent(authEvent) : undefined;
}

/** The message with which the frame gives its port to the script in the app. */
export const HANDOVER = { hearth: 'auth-iframe', v: 1 } as const;

export function isHandover(message: unknown): boolean {
  if (typeof message !== 'object' || message === null) return false;
  const { hearth, v } = message as Readonly<Record<string, unknown>>;
  return hearth === HANDOVER.hearth && v === HANDOVER.v;
}

/** The parameter of the frame's address with the origin of the app. The official script does not send it. */
export const ORIGIN_PARAMETER = 'hearthOrigin';

/** The names of the messages between the frame and the SDK. */
export const AUTH_EVENT = 'authEvent';
export const WEB_STORAGE_SUPPORT = 'webStorageSupport';
