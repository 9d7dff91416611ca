import type { Receiver } from '../commit/turn.ts';

/** The way to one client. Everything delivered arrives in order, or the connection ends. */
export interface Connection extends Receiver {
  /** Ends the connection once what was delivered has been sent. */
  close(): void;
  /** Stops reading what the client sends, until `resume`. Calls nest. */
  pause(): void;
  resume(): void;
}
