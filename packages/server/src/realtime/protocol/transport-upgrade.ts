import { type ClientMessage, parseClientMessage } from '@hearth/core/wire/client-messages.ts';
import { pongMessage, upgradeAcceptedMessage } from '@hearth/core/wire/server-messages.ts';
import { OutgoingMessage } from '../../storage/transaction/outgoing-message.ts';
import type { Connection, MessageReceiver } from './connection.ts';
import type { Session } from './session.ts';

/** The connection to which a session may move. */
export interface UpgradeTarget extends Connection {
  /** Passes the client's messages to `receiver` from now on, and ends `receiver` with the connection. */
  attach(receiver: MessageReceiver): void;
}

/** The connection that a session moves away from. */
export interface UpgradeOrigin {
  /** Called when the client has switched: its messages on the old connection are about to end. */
  onSwitched(): void;
  /** Called if the WebSocket is lost before the session has moved to it. */
  onUpgradeLost(upgrade: TransportUpgrade): void;
}

const ACCEPTED = new OutgoingMessage(upgradeAcceptedMessage());
const PONG = new OutgoingMessage(pongMessage());

/** Length of early messages, in UTF-16 code units, above which reading is paused. */
const MAX_EARLY_UNITS = 1_048_576;

/**
 * A WebSocket that is about to replace the polls of a client. Messages that the client sends over it after the
 * switch wait until all earlier messages have arrived over the polls.
 */
export class TransportUpgrade implements MessageReceiver {
  readonly #target: UpgradeTarget;
  readonly #origin: UpgradeOrigin;
  #hasSwitched = false;
  #early: ClientMessage[] = [];
  #earlyUnits = 0;
  #isPaused = false;

  constructor(target: UpgradeTarget, origin: UpgradeOrigin) {
    this.#target = target;
    this.#origin = origin;
    target.attach(this);
    target.deliver([ACCEPTED]);
  }

  /** Whether the client sends only on the WebSocket now, except for messages in transit. */
  get hasSwitched(): boolean {
    return this.#hasSwitched;
  }

  receive(text: string): void {
    const message = parseClientMessage(text);
    if (message.kind === 'switch') {
      this.#hasSwitched = true;
      this.#origin.onSwitched();
    } else if (message.kind === 'ping' && !this.#hasSwitched) {
      this.#target.deliver([PONG]);
    } else this.#keep(message, text.length);
  }

  /** Called when the WebSocket is closed. */
  end(): void {
    this.#origin.onUpgradeLost(this);
  }

  /** Moves the session to the WebSocket. */
  complete(session: Session): void {
    this.#target.attach(session);
    session.moveTo(this.#target);
    for (const message of this.#early) session.accept(message);
    this.#early = [];
    if (this.#isPaused) this.#target.resume();
  }

  /** Closes the WebSocket, because its session has ended. */
  cancel(): void {
    this.#target.close();
  }

  #keep(message: ClientMessage, units: number): void {
    this.#early.push(message);
    this.#earlyUnits += units;
    if (this.#earlyUnits <= MAX_EARLY_UNITS || this.#isPaused) return;
    this.#isPaused = true;
    this.#target.pause();
  }
}
