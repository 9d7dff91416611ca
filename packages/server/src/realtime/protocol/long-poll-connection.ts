import { RequestError } from '@hearth/core/error/request-error.ts';
import { type ClientMessage, parseClientMessage } from '@hearth/core/wire/client-messages.ts';
import { type Segment, SegmentSequence } from '@hearth/core/wire/frames.ts';
import { definitionsScript, startCommand } from '@hearth/core/wire/long-poll.ts';
import { endOfTransmissionMessage } from '@hearth/core/wire/server-messages.ts';
import { BYTES_PER_UNIT } from '../../platform/admission.ts';
import { type ByteHolder, HeldBytes } from '../../platform/held-bytes.ts';
import type { OutgoingMessage } from '../../storage/transaction/outgoing-message.ts';
import type { Traffic } from '../monitoring/database-activity.ts';
import type { Connection, DrainListener } from './connection.ts';
import { type Poll, PollQueue } from './long-poll-queue.ts';
import { FREE_BYTES, SendBuffer } from './send-buffer.ts';
import type { Session } from './session.ts';
import { TransportUpgrade, type UpgradeOrigin, type UpgradeTarget } from './transport-upgrade.ts';
import type { ConnectionSettings } from './websocket-connection.ts';

const BASE64 = /^[A-Za-z0-9_-]*\.{0,2}$/;

/**
 * Returns the text of a message from URL-safe Base64 that is padded with dots. Half a surrogate pair, which
 * some clients encode as a character, becomes U+FFFD, as in their WebSockets.
 */
export function decodeMessage(base64: string, maxUnits: number): string {
  if (!BASE64.test(base64)) throw new RequestError('request/malformed', 'A message must be URL-safe Base64.');
  const text = Buffer.from(base64, 'base64url').toString();
  if (text.length > maxUnits) throw new RequestError('write/too-big');
  return text;
}

export interface LongPollConnectionOptions {
  /** The client's network, as in `Holder`. */
  readonly network: string;
  /** Secret; sent with every request, together with the id of the session. */
  readonly password: string;
  readonly settings: ConnectionSettings;
  readonly timeouts: Timeouts;
  /** Opens the session that uses the connection. */
  readonly openSession: (connection: Connection) => Session;
  /** Called once no further request can belong to the connection. */
  readonly onForgotten: () => void;
}

/** Time limits of a long-poll connection. */
export interface Timeouts {
  /** A waiting poll is answered after this time, even if there are no messages. */
  readonly holdMs: number;
  /** A client that sends nothing for this long is considered disconnected. */
  readonly silenceMs: number;
  /**
   * A client that has aborted its poll is considered disconnected after this time. Clients end their connection
   * at the first failed request. Only a browser may repeat the request, which it does immediately.
   */
  readonly abandonedMs: number;
}

/**
 * While reading is paused, a client with more waiting polls is disconnected. An official client has two at a time, and
 * one more for each poll that the server has held for a long time.
 */
const MAX_WAITING_POLLS = 8;

/** Whether the session uses the connection or has moved to another, or the connection is closed. */
type Phase = 'used' | 'left' | 'closed';

/** The connection of a client that polls, until it moves to a WebSocket or disconnects. */
export class LongPollConnection implements ByteHolder, Connection, UpgradeOrigin {
  readonly transport = 'long-poll';
  readonly network: string;
  readonly peerAddress = null;
  readonly #options: LongPollConnectionOptions;
  readonly #segments: SegmentSequence;
  readonly #sendBuffer: SendBuffer;
  readonly #unfinished: HeldBytes;
  readonly #queue: PollQueue;
  #silence: NodeJS.Timeout;
  readonly #session: Session;
  #drainListener: DrainListener | undefined;
  #traffic: Traffic | undefined;
  #sentBytes = 0;
  #receivedBytes = 0;
  #pauses = 0;
  #isFull = false;
  #phase: Phase = 'used';
  #upgrade: TransportUpgrade | undefined;
  /** Whether the client has sent its last message over polls. */
  #hasClientEnded = false;
  /** Whether the client has left or cannot receive messages, so that nothing has to be kept for it. */
  #isLost = false;

  constructor(options: LongPollConnectionOptions) {
    const { settings, timeouts, network } = options;
    this.#options = options;
    this.network = network;
    this.#segments = new SegmentSequence(settings.maxMessageUnits);
    this.#sendBuffer = new SendBuffer(settings.sendBuffer, settings.messages, this);
    this.#unfinished = new HeldBytes(settings.messages, this, FREE_BYTES);
    this.#queue = new PollQueue({
      holdMs: timeouts.holdMs,
      onSent: () => this.#onWaiting(),
      onAbandoned: () => this.#expectWithin(timeouts.abandonedMs),
    });
    this.#session = options.openSession(this);
    this.#silence = this.#startSilence(timeouts.silenceMs);
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

  deliver(messages: readonly OutgoingMessage[]): void {
    if (this.#phase !== 'used') return;
    const texts = messages.map(({ text }) => text);
    const units = texts.reduce((sum, text) => sum + text.length, 0);
    if (!this.#sendBuffer.accept(units, this.#queue.waitingUnits)) {
      // The client resumes with hashes when it reconnects: it loses only data that it did not read.
      this.#lose();
      return;
    }
    this.#queue.send(texts);
    this.#recordSent(texts);
    this.#onWaiting();
  }

  close(): void {
    if (this.#phase === 'closed') return;
    const isAwaited = this.#phase === 'used' && !this.#isLost && this.#queue.hasMessages;
    this.#phase = 'closed';
    clearTimeout(this.#silence);
    this.#unfinished.hold(0);
    this.#upgrade?.cancel();
    if (!isAwaited) {
      this.#forget();
      return;
    }
    this.#queue.endAfterMessages();
    this.#silence = setTimeout(() => this.#forget(), this.#options.timeouts.abandonedMs).unref();
  }

  pause(): void {
    this.#pauses++;
  }

  resume(): void {
    if (--this.#pauses === 0) this.#queue.releaseEarlier();
  }

  /**
   * Responds to the request that opened the connection. `callback` is the decimal number of the client's
   * functions.
   */
  start(poll: Poll, callback: string): void {
    this.#queue.start(poll, definitionsScript(callback) + startCommand(this.#session.id, this.password));
  }

  /** Receives a request of the client, with the segments that it sends. */
  poll(poll: Poll, segments: readonly Segment[]): void {
    this.#expectWithin(this.#options.timeouts.silenceMs);
    this.#queue.add(poll);
    if (this.#phase !== 'used') return;
    try {
      this.#receive(segments);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      // Errors after the client's last message are ignored.
      if (this.#phase === 'used') this.#lose();
      return;
    }
    this.#releasePolls(segments.length > 0);
  }

  evict(): void {
    this.leave();
    this.close();
  }

  /** Called when the user leaves the client's page. */
  leave(): void {
    // The page of a client that has moved to a WebSocket is unloaded too.
    if (this.#phase === 'used') this.#lose();
  }

  /** Offers the client an upgrade to a WebSocket. Returns false if one is being offered, or polling has ended. */
  offerUpgrade(target: UpgradeTarget): boolean {
    if (this.#phase !== 'used' || this.#upgrade !== undefined || this.#hasClientEnded) return false;
    this.#upgrade = new TransportUpgrade(target, this);
    return true;
  }

  onSwitched(): void {
    this.#upgradeIfReady();
  }

  onUpgradeLost(upgrade: TransportUpgrade): void {
    if (upgrade !== this.#upgrade) return;
    this.#upgrade = undefined;
    if (upgrade.hasSwitched || this.#hasClientEnded) this.#lose();
  }

  #receive(segments: readonly Segment[]): void {
    for (const segment of segments)
      for (const base64 of this.#segments.accept(segment)) {
        const text = decodeMessage(base64, this.#options.settings.maxMessageUnits);
        this.#recordReceived(text);
        this.#accept(parseClientMessage(text));
      }
    if (this.#phase === 'used' && !this.#unfinished.hold(BYTES_PER_UNIT * this.#segments.unfinishedUnits))
      throw new RequestError('request/overload');
  }

  #recordSent(texts: readonly string[]): void {
    const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    this.#sentBytes += bytes;
    if (this.#traffic !== undefined) this.#traffic.sentBytes += bytes;
  }

  #recordReceived(text: string): void {
    const bytes = Buffer.byteLength(text);
    this.#receivedBytes += bytes;
    if (this.#traffic !== undefined) this.#traffic.receivedBytes += bytes;
  }

  #releasePolls(hasBroughtSegments: boolean): void {
    // Holding the polls keeps a client from sending more while reading is paused.
    if (this.#pauses > 0) {
      if (this.#queue.waitingPolls > MAX_WAITING_POLLS) this.#lose();
      return;
    }
    // The client has at most two requests at a time: holding them would delay the rest of its message.
    if (hasBroughtSegments && this.#segments.unfinishedUnits > 0) this.#queue.releaseAll();
    else this.#queue.releaseEarlier();
  }

  #accept(message: ClientMessage): void {
    if (this.#hasClientEnded) return;
    if (message.kind !== 'end-of-transmission') {
      this.#session.accept(message);
      return;
    }
    this.#hasClientEnded = true;
    if (this.#upgrade === undefined) this.#lose();
    else this.#upgradeIfReady();
  }

  /** Moves the session once the switch message and the end of transmission have arrived, in either order. */
  #upgradeIfReady(): void {
    const upgrade = this.#upgrade;
    if (upgrade === undefined || !upgrade.hasSwitched || !this.#hasClientEnded) return;
    this.#phase = 'left';
    this.#upgrade = undefined;
    this.#unfinished.hold(0);
    this.#queue.end(endOfTransmissionMessage());
    upgrade.complete(this.#session);
  }

  /** Ends the connection if the client sends nothing within this time. */
  #expectWithin(timeMs: number): void {
    if (this.#phase === 'closed') return;
    clearTimeout(this.#silence);
    this.#silence = this.#startSilence(timeMs);
  }

  #startSilence(timeMs: number): NodeJS.Timeout {
    return setTimeout(() => this.#onSilent(), timeMs).unref();
  }

  #onSilent(): void {
    if (this.#phase === 'used') this.#lose();
    else this.close();
  }

  /** Ends the session of a client that has left, reads too slowly, or has violated the protocol. */
  #lose(): void {
    this.#isLost = true;
    this.#session.end();
  }

  #forget(): void {
    this.#queue.close();
    this.#options.onForgotten();
  }

  #onWaiting(): void {
    this.#sendBuffer.update(this.#queue.waitingUnits);
    const wasFull = this.#isFull;
    this.#isFull = this.#sendBuffer.isFull;
    if (wasFull && !this.#isFull) this.#drainListener?.drained();
  }
}
