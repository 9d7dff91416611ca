import type { Traffic } from '../activity/traffic.ts';
import type { Frame } from '../commit/frame.ts';

export interface DrainListener {
  drained(): void;
}

/** How messages go to and from a client. */
export type TransportName = 'websocket' | 'long-poll';

/** The way to one client. Everything delivered arrives in order, or the connection ends. */
export interface Connection {
  readonly transport: TransportName;
  /** Of the other end; `null` when the connection is made of many, or has ended. */
  readonly peerAddress: string | null;
  /** What has gone over it so far. */
  readonly sentBytes: number;
  readonly receivedBytes: number;
  /** From now on what goes over it is counted there, too. */
  countIn(traffic: Traffic): void;
  /** Must not throw. */
  deliver(frames: readonly Frame[]): void;
  /** Does so much wait to be sent that the client should read before it asks for more? */
  readonly isFull: boolean;
  /** `listener` is told whenever the connection is no longer full. */
  onDrained(listener: DrainListener): void;
  /** Ends the connection once what was delivered has been sent. */
  close(): void;
  /** Stops reading what the client sends, until `resume`. Calls nest. */
  pause(): void;
  resume(): void;
}

/** What is told of the messages of one connection, and of its end. */
export interface MessageReceiver {
  /** Takes one message. Throws a `Refusal` when it is not one, after which the connection has to be closed. */
  receive(text: string): void;
  /** The connection is lost, or breaks the protocol. */
  end(): void;
}
