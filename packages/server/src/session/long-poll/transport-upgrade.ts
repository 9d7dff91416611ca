import { pongMessage, upgradeAcceptedMessage } from '@hearth/core/wire/down.ts';
import { parseUpMessage, type UpMessage } from '@hearth/core/wire/up.ts';
import { Frame } from '../../commit/frame.ts';
import type { Connection, MessageReceiver } from '../connection.ts';
import type { Session } from '../session.ts';

/** The connection that a session may move to. */
export interface UpgradeTarget extends Connection {
  /** From now on the client's messages go to `receiver`, which ends with the connection. */
  attach(receiver: MessageReceiver): void;
}

/** The connection that a session leaves. */
export interface UpgradeOrigin {
  /** The client has switched: what it sends on the former connection is about to end. */
  noteSwitched(): void;
  /** The WebSocket is lost before the session has moved to it. */
  noteUpgradeLost(upgrade: TransportUpgrade): void;
}

const ACCEPTED = new Frame(upgradeAcceptedMessage());
const PONG = new Frame(pongMessage());

/** Length of early messages beyond which no more are read, in UTF-16 code units. */
const MAX_EARLY_UNITS = 1_048_576;

/**
 * A WebSocket that is about to take over from the polls of a client. What the client sends over it once it has switched
 * waits until all that it sent before, over the polls, was received.
 */
export class TransportUpgrade implements MessageReceiver {
  readonly #target: UpgradeTarget;
  readonly #origin: UpgradeOrigin;
  #hasSwitched = false;
  #early: UpMessage[] = [];
  #earlyUnits = 0;
  #isPaused = false;

  constructor(target: UpgradeTarget, origin: UpgradeOrigin) {
    this.#target = target;
    this.#origin = origin;
    target.attach(this);
    target.deliver([ACCEPTED]);
  }

  /** Does the client send on the WebSocket only, but for what is under way? */
  get hasSwitched(): boolean {
    return this.#hasSwitched;
  }

  receive(text: string): void {
    const message = parseUpMessage(text);
    if (message.kind === 'switch') {
      this.#hasSwitched = true;
      this.#origin.noteSwitched();
    } else if (message.kind === 'ping' && !this.#hasSwitched) {
      this.#target.deliver([PONG]);
    } else this.#keep(message, text.length);
  }

  /** The WebSocket is closed. */
  end(): void {
    this.#origin.noteUpgradeLost(this);
  }

  /** Lets the session go on over the WebSocket. */
  complete(session: Session): void {
    this.#target.attach(session);
    session.moveTo(this.#target);
    for (const message of this.#early) session.accept(message);
    this.#early = [];
    if (this.#isPaused) this.#target.resume();
  }

  /** Ends the WebSocket, because its session has. */
  cancel(): void {
    this.#target.close();
  }

  #keep(message: UpMessage, units: number): void {
    this.#early.push(message);
    this.#earlyUnits += units;
    if (this.#earlyUnits <= MAX_EARLY_UNITS || this.#isPaused) return;
    this.#isPaused = true;
    this.#target.pause();
  }
}
