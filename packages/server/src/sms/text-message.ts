import type { Language } from '../mail/templates/language.ts';
import type { MessageSender, OutgoingMessage, QueuedMessage } from '../outbox/message.ts';

/** Why the server sends a code by SMS, as the official service names it. */
export type SmsPurpose = 'SIGN_IN_OR_SIGN_UP' | 'MULTI_FACTOR_SIGN_IN' | 'MULTI_FACTOR_ENROLLMENT';

/** `PHONE_NUMBER_CHANGED` notifies the previous number of an account, and has no code. */
export type SmsKind = SmsPurpose | 'PHONE_NUMBER_CHANGED';

/** A text message. */
export interface TextMessage extends QueuedMessage {
  readonly kind: SmsKind;
  readonly text: string;
  /** The code in the text, for owners whose own service writes the text; an empty text for none. */
  readonly code: string;
  readonly locale: Language;
  /** The server's own URL, as the client addresses it. */
  readonly origin: string;
  readonly createdAtMs: number;
}

export type OutgoingTextMessage = OutgoingMessage<TextMessage>;

/** Passes text messages to an SMS service. */
export type SmsSender = MessageSender<TextMessage>;
