import { Refusal } from '@hearth/core/fault/refusal.ts';
import { endOfTransmissionMessage } from '@hearth/core/wire/down.ts';
import { definitionsScript, startCommand } from '@hearth/core/wire/long-poll-script.ts';
import { type Segment, SegmentSequence } from '@hearth/core/wire/segment-sequence.ts';
import { parseUpMessage, type UpMessage } from '@hearth/core/wire/up.ts';
import type { Traffic } from '../../activity/traffic.ts';
import { Backlog } from '../../commit/backlog.ts';
import type { Frame } from '../../commit/frame.ts';
import type { Connection, DrainListener } from '../connection.ts';
import type { Session } from '../session.ts';
import type { ConnectionSettings } from '../websocket-connection.ts';
import { decodeMessage } from './decode-message.ts';
import type { Poll } from './poll.ts';
import { PollQueue } from './poll-queue.ts';
import { TransportUpgrade, type UpgradeOrigin, type UpgradeTarget } from './transport-upgrade.ts';

export interface LongPollConnectionOptions {
  /** Secret; presented with every request beside the name of the session. */
  readonly password: string;
  readonly settings: ConnectionSettings;
  readonly patience: Patience;
  /** Opens the session that uses the connection. */
  readonly openSession: (connection: Connection) => Session;
  /** Told once no request can be about the connection any more. */
  readonly onForgotten: () => void;
}

/** How long is waited for a client. */
export interface Patience {
  /** A poll that waits is answered after so long, though there is nothing to be told. */
  readonly holdMs: number;
  /** A client of which nothing was heard for so long is gone. */
  readonly silenceMs: number;
  /**
   * A client that has given up its poll is gone after so long. Clients end their connection with the first request that
   * fails; only a browser may send one again, which it does at once.
   */
  readonly abandonedMs: number;
}

/** Polls that may wait while the client is not read from. Clients have two under way, and one more for each that was kept long. */
const MAX_WAITING_POLLS = 8;

/** Whether the session uses the connection, has moved to another, or is at its end. */
type Phase = 'used' | 'left' | 'closed';

/** The polls of one client: the way to and from it, until a WebSocket takes over or the client is gone. */
export class LongPollConnection implements Connection, UpgradeOrigin {
  readonly transport = 'long-poll';
  readonly peerAddress = null;
  readonly #options: LongPollConnectionOptions;
  readonly #segments: SegmentSequence;
  readonly #backlog: Backlog;
  readonly #queue: PollQueue;
  #silence: NodeJS.Timeout;
  readonly #session: Session;
  #drainListener: DrainListener | undefined;
  #traffic: Traffic | undefined;
  #sentBytes = 0;
  #receivedBytes = 0;
  #unfinishedUnits = 0;
  #pauses = 0;
  #isFull = false;
  #phase: Phase = 'used';
  #upgrade: TransportUpgrade | undefined;
  /** Has the client sent its last message over polls? */
  #hasClientEnded = false;

  constructor(options: LongPollConnectionOptions) {
    const { settings, patience } = options;
    this.#options = options;
    this.#segments = new SegmentSequence(settings.maxMessageUnits);
    this.#backlog = new Backlog(settings.backlog, settings.outgoing);
    this.#queue = new PollQueue({
      holdMs: patience.holdMs,
      onSent: () => this.#noteWaiting(),
      onAbandoned: () => this.#expectWithin(patience.abandonedMs),
    });
    this.#session = options.openSession(this);
    this.#silence = this.#startSilence(patience.silenceMs);
  }

  get session(): Session {
    return this.#session;
  }

  get password(): string {
    return this.#options.password;
  }

  get sentBytes(): number {
    return this.#sentBytes;
  }

  get receivedBytes(): number {
    return this.#receivedBytes;
  }

  countIn(traffic: Traffic): void {
    this.#traffic = traffic;
  }

  get isFull(): boolean {
    return this.#isFull;
  }

  onDrained(listener: DrainListener): void {
    this.#drainListener = listener;
  }

  deliver(frames: readonly Frame[]): void {
    if (this.#phase !== 'used') return;
    const messages = frames.map(({ text }) => text);
    const units = messages.reduce((sum, text) => sum + text.length, 0);
    if (!this.#backlog.accept(units, this.#queue.waitingUnits)) {
      // The client resumes with hashes when it comes back: nothing is lost but what it would not read.
      this.#session.end();
      return;
    }
    this.#queue.send(messages);
    this.#noteSent(messages);
    this.#noteWaiting();
  }

  close(): void {
    if (this.#phase === 'closed') return;
    this.#phase = 'closed';
    clearTimeout(this.#silence);
    this.#noteUnfinished(0);
    this.#queue.close();
    this.#upgrade?.cancel();
    this.#options.onForgotten();
  }

  pause(): void {
    this.#pauses++;
  }

  resume(): void {
    if (--this.#pauses === 0) this.#queue.releaseEarlier();
  }

  /** Answers the request that has opened the connection; `callback` is the decimal number of the client's functions. */
  start(poll: Poll, callback: string): void {
    this.#queue.start(poll, definitionsScript(callback) + startCommand(this.#session.id, this.password));
  }

  /** Takes a request of the client, with what it sends. */
  poll(poll: Poll, segments: readonly Segment[]): void {
    this.#expectWithin(this.#options.patience.silenceMs);
    this.#queue.add(poll);
    if (this.#phase !== 'used') return;
    try {
      this.#receive(segments);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      // What follows the client's last message does not count.
      if (this.#phase === 'used') this.#session.end();
      return;
    }
    this.#releasePolls(segments.length > 0);
  }

  /** The client's page says that it is left. */
  leave(): void {
    // The page of a client that has moved on is unloaded, too.
    if (this.#phase === 'used') this.#session.end();
  }

  /** Offers the client to go on over a WebSocket; `false` when it has been offered another. */
  offerUpgrade(target: UpgradeTarget): boolean {
    if (this.#phase !== 'used' || this.#upgrade !== undefined || this.#hasClientEnded) return false;
    this.#upgrade = new TransportUpgrade(target, this);
    return true;
  }

  noteSwitched(): void {
    this.#upgradeIfReady();
  }

  noteUpgradeLost(upgrade: TransportUpgrade): void {
    if (upgrade !== this.#upgrade) return;
    this.#upgrade = undefined;
    if (upgrade.hasSwitched || this.#hasClientEnded) this.#session.end();
  }

  #receive(segments: readonly Segment[]): void {
    for (const segment of segments)
      for (const base64 of this.#segments.accept(segment)) {
        const text = decodeMessage(base64, this.#options.settings.maxMessageUnits);
        this.#noteReceived(text);
        this.#accept(parseUpMessage(text));
      }
    if (this.#phase === 'used') this.#noteUnfinished(this.#segments.unfinishedUnits);
    if (this.#unfinishedUnits > 0 && this.#options.settings.unfinished.isExceededBy(0))
      throw new Refusal('request/overload');
  }

  #noteSent(messages: readonly string[]): void {
    const bytes = messages.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    this.#sentBytes += bytes;
    if (this.#traffic !== undefined) this.#traffic.sentBytes += bytes;
  }

  #noteReceived(text: string): void {
    const bytes = Buffer.byteLength(text);
    this.#receivedBytes += bytes;
    if (this.#traffic !== undefined) this.#traffic.receivedBytes += bytes;
  }

  #releasePolls(hasBroughtSegments: boolean): void {
    // A client that is not read from sends no more while its polls are kept.
    if (this.#pauses > 0) {
      if (this.#queue.waitingPolls > MAX_WAITING_POLLS) this.#session.end();
      return;
    }
    // It has two requests under way at most: kept ones would slow down what is still to come of its message.
    if (hasBroughtSegments && this.#segments.unfinishedUnits > 0) this.#queue.releaseAll();
    else this.#queue.releaseEarlier();
  }

  #accept(message: UpMessage): void {
    if (this.#hasClientEnded) return;
    if (message.kind !== 'end-of-transmission') {
      this.#session.accept(message);
      return;
    }
    this.#hasClientEnded = true;
    if (this.#upgrade === undefined) this.#session.end();
    else this.#upgradeIfReady();
  }

  /** Both sides of the client's switch may arrive first. */
  #upgradeIfReady(): void {
    const upgrade = this.#upgrade;
    if (upgrade === undefined || !upgrade.hasSwitched || !this.#hasClientEnded) return;
    this.#phase = 'left';
    this.#upgrade = undefined;
    this.#noteUnfinished(0);
    this.#queue.end(endOfTransmissionMessage());
    upgrade.complete(this.#session);
  }

  /** The client has to be heard of again within this time. */
  #expectWithin(timeMs: number): void {
    clearTimeout(this.#silence);
    if (this.#phase !== 'closed') this.#silence = this.#startSilence(timeMs);
  }

  #startSilence(timeMs: number): NodeJS.Timeout {
    return setTimeout(() => this.#noteSilent(), timeMs).unref();
  }

  #noteSilent(): void {
    if (this.#phase === 'used') this.#session.end();
    else this.close();
  }

  #noteWaiting(): void {
    this.#backlog.update(this.#queue.waitingUnits);
    const wasFull = this.#isFull;
    this.#isFull = this.#backlog.isFull;
    if (wasFull && !this.#isFull) this.#drainListener?.drained();
  }

  #noteUnfinished(units: number): void {
    this.#options.settings.unfinished.change(units - this.#unfinishedUnits);
    this.#unfinishedUnits = units;
  }
}
