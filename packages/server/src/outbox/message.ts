/** A message to a person that waits in a queue until another server accepts it. */
export interface QueuedMessage {
  /** The project whose account the message is about. */
  readonly project: string;
  readonly kind: string;
  /** The address or the number of the only recipient. */
  readonly to: string;
  /** When the content of the message stops working. The message is not sent after this time. */
  readonly validUntilMs?: number;
}

/** A message that is being sent. */
export type OutgoingMessage<Message extends QueuedMessage> = Message & {
  /** The same for every attempt. */
  readonly id: string;
};

/** Passes messages to another server. Several messages may be sent at the same time. */
export interface MessageSender<Message extends QueuedMessage> {
  /**
   * Resolves when the other server has accepted the message. Otherwise rejects with a `DeliveryFailure`; the other
   * server may nevertheless have accepted it. If `signal` is aborted before sending begins, the other server does
   * not receive the message and the failure is `unavailable`. A sender can be used again after a failure.
   */
  send(message: OutgoingMessage<Message>, signal: AbortSignal): Promise<void>;
}

/**
 * `unavailable`: currently, no message can be sent. `temporary`: currently, this message cannot be sent.
 * `permanent`: this message can never be sent.
 */
export type DeliveryFailureKind = 'unavailable' | 'temporary' | 'permanent';

/**
 * Thrown if another server did not accept a message. The text is for operators, and contains neither links nor
 * codes.
 */
export class DeliveryFailure extends Error {
  readonly kind: DeliveryFailureKind;

  constructor(kind: DeliveryFailureKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DeliveryFailure';
    this.kind = kind;
  }
}

/** Throws a `DeliveryFailure` if sending has been stopped. */
export function requireNotStopped(signal: AbortSignal): void {
  if (signal.aborted)
    throw new DeliveryFailure('unavailable', 'Sending stopped before the message was accepted.');
}
