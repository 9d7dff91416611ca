import { PROTOCOL_VERSION, shutdownMessage } from '@hearth/core/wire/server-messages.ts';
import type { OutgoingMessage } from '../../storage/transaction/outgoing-message.ts';
import type { Traffic } from '../monitoring/database-activity.ts';

/** Returns the message that rejects a client of another protocol version, for all transports. */
export function versionError(): string {
  return shutdownMessage(`This server speaks version ${PROTOCOL_VERSION} of the protocol: add v=5.`);
}

export interface DrainListener {
  /** Called each time the connection is no longer full. */
  drained(): void;
}

/** The transport of messages to and from a client. */
export type TransportName = 'websocket' | 'long-poll';

/**
 * The connection to one client. Everything delivered arrives in order and once, or the connection ends. It ends
 * when the server calls `close`, when the client leaves or violates the protocol, or when too much data waits
 * because the client reads slowly. No method throws after the end.
 */
export interface Connection {
  readonly transport: TransportName;
  /** The client's network, as in `Holder`. */
  readonly network: string;
  /** Address of the client; `null` if the connection consists of many requests, or has ended. */
  readonly peerAddress: string | null;
  /** Bytes sent and received so far. They never decrease while the connection is open. */
  readonly sentBytes: number;
  readonly receivedBytes: number;
  /** Also adds the bytes of this connection to `traffic` from now on. */
  countIn(traffic: Traffic): void;
  /**
   * Sends messages to the client, after all earlier ones. One delivery may have any length; the total length of the
   * other waiting deliveries is limited. Does nothing after the end of the connection.
   */
  deliver(messages: readonly OutgoingMessage[]): void;
  /** Whether so much waits to be sent that no further requests of the client should be executed. */
  readonly isFull: boolean;
  /** Notifies `listener` whenever the connection is no longer full. Replaces an earlier listener. */
  onDrained(listener: DrainListener): void;
  /** Closes the connection once the client has received everything delivered, or does not read it. Idempotent. */
  close(): void;
  /** Keeps the client from sending more messages until `resume`. Calls nest. */
  pause(): void;
  resume(): void;
}

/** Receives the messages of one connection, and its end. */
export interface MessageReceiver {
  /** Receives one message. Throws a `RequestError` if it is invalid; the connection then has to be closed. */
  receive(text: string): void;
  /** Called if the connection is lost or violates the protocol. */
  end(): void;
}
