import type { Language } from '../mail/templates/language.ts';
import type { MessageSender, OutgoingMessage, QueuedMessage } from '../outbox/message.ts';

/** Why the server sends a code by SMS, as the official service names it. */
export type SmsPurpose = 'SIGN_IN_OR_SIGN_UP' | 'MULTI_FACTOR_SIGN_IN' | 'MULTI_FACTOR_ENROLLMENT';

/** A text message with a code. */
export interface TextMessage extends QueuedMessage {
  readonly kind: SmsPurpose;
  readonly text: string;
  /** The code in the text, for owners whose own service writes the text. */
  readonly code: string;
  readonly locale: Language;
  /** The server's own URL, as the client addresses it. */
  readonly origin: string;
  readonly createdAtMs: number;
}

export type OutgoingTextMessage = OutgoingMessage<TextMessage>;

/** Passes text messages to an SMS service. */
export type SmsSender = MessageSender<TextMessage>;
