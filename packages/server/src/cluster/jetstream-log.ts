import type { JetStreamClient, JetStreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { AppendOutcome, LogExtent, ReplicatedLog, Slot, StoredMessage } from './replicated-log.ts';

export interface JetStreamLogOptions {
  readonly connection: NatsConnection;
  readonly client: JetStreamClient;
  readonly manager: JetStreamManager;
  readonly stream: string;
  /** Tells this stream from any other, even from one with the same name. */
  readonly identity: string;
  /** The subject whose messages the stream stores. */
  readonly subject: string;
  /** The subject of bulletins, which no stream stores. */
  readonly bulletins: string;
}

/**
 * How long an append waits for its outcome. Longer than an election of the servers takes at best, and shorter than the
 * time after which other nodes claim the term.
 */
const APPEND_TIMEOUT_MS = 2_000;

/** Code of the error of an append to a slot that is not the next one. */
const WRONG_LAST_SEQUENCE = 10071;
export const STREAM_NOT_FOUND = 10059;

/** The extent of a log whose stream was deleted or lost. */
const NO_MESSAGES: LogExtent = { first: 1, last: 0, bytes: 0 };

/** After this many unknown outcomes one after the other, the connection may be to a server that is cut off. */
const UNKNOWN_BEFORE_RECONNECT = 3;

/** One in this many reads without a result asks the leader, because other servers may be behind. */
const READS_PER_LEADER_READ = 3;

/** Messages of one read from the leader, which gives them one by one. */
const LEADER_READ_MESSAGES = 16;

/** Maximum number of bytes of one batch. A message may exceed it. */
const READ_BYTES = 8 * 2 ** 20;

/** A shard in a stream of NATS JetStream. The slot of a message is its sequence number in the stream. */
export class JetStreamLog implements ReplicatedLog {
  readonly #options: JetStreamLogOptions;
  #unknown = 0;
  #fruitlessReads = 0;

  constructor(options: JetStreamLogOptions) {
    this.#options = options;
  }

  get identity(): string {
    return this.#options.identity;
  }

  append(expectedLast: Slot, message: Buffer, done: (outcome: AppendOutcome) => void): void {
    this.#append(expectedLast, message).then(
      (outcome) => {
        this.#unknown = 0;
        done(outcome);
      },
      () => {
        this.#unknown += 1;
        if (this.#unknown % UNKNOWN_BEFORE_RECONNECT === 0) this.#reconnect();
        done({ kind: 'unknown' });
      },
    );
  }

  read(from: Slot, max: number, done: (messages: readonly StoredMessage[]) => void): void {
    const isFromLeader = this.#fruitlessReads % READS_PER_LEADER_READ === READS_PER_LEADER_READ - 1;
    const reading = isFromLeader ? this.#readFromLeader(from, max) : this.#readBatch(from, max);
    const report = (messages: readonly StoredMessage[]): void => {
      // A follower's read begins with a message that it has.
      this.#fruitlessReads = messages.length > 1 ? 0 : this.#fruitlessReads + 1;
      done(messages);
    };
    // Absence proves nothing, so a failed read is one without messages.
    reading.then(report, () => report([]));
  }

  extent(done: (extent: LogExtent | undefined) => void): void {
    const { manager, stream } = this.#options;
    manager.streams
      .info(stream)
      .then(({ state }) => ({
        first: Math.max(state.first_seq, 1),
        last: state.last_seq,
        bytes: state.bytes,
      }))
      .then(done, (error) => done(hasCode(error, STREAM_NOT_FOUND) ? NO_MESSAGES : undefined));
  }

  trim(first: Slot, done: (isDone: boolean) => void): void {
    const { manager, stream } = this.#options;
    const trim = async (): Promise<void> => {
      const { state } = await manager.streams.info(stream);
      await manager.streams.purge(stream, { seq: Math.min(first, state.last_seq) });
    };
    trim().then(
      () => done(true),
      () => done(false),
    );
  }

  publish(bytes: Buffer): void {
    const { connection, bulletins } = this.#options;
    // A closed connection throws. Losing a bulletin does no harm.
    if (!connection.isClosed()) connection.publish(bulletins, bytes);
  }

  subscribe(receive: (bytes: Buffer) => void): () => void {
    const { connection, bulletins } = this.#options;
    const subscription = connection.subscribe(bulletins, {
      callback: (error, { data }) => {
        if (error === null) receive(Buffer.from(data));
      },
    });
    return () => subscription.unsubscribe();
  }

  /** Rejects if the outcome is unknown. */
  async #append(expectedLast: Slot, message: Buffer): Promise<AppendOutcome> {
    const { client, stream, subject } = this.#options;
    try {
      await client.publish(subject, message, {
        expect: { lastSequence: expectedLast, streamName: stream },
        timeout: APPEND_TIMEOUT_MS,
      });
      return { kind: 'stored' };
    } catch (error) {
      if (!hasCode(error, WRONG_LAST_SEQUENCE)) throw error;
      const last = /wrong last sequence: (\d+)/.exec(error.message)?.[1];
      return { kind: 'rejected', last: last === undefined ? undefined : Number(last) };
    }
  }

  async #readBatch(from: Slot, max: number): Promise<readonly StoredMessage[]> {
    const { manager, stream } = this.#options;
    const messages: StoredMessage[] = [];
    const batch = await manager.direct.getBatch(stream, { seq: from, batch: max, max_bytes: READ_BYTES });
    try {
      for await (const { seq, data } of batch) {
        const last = messages.at(-1);
        // A message of the batch was lost.
        if (last !== undefined && seq !== last.slot + 1) break;
        messages.push({ slot: seq, message: Buffer.from(data) });
      }
    } catch {
      // The messages that arrived before the error are in order.
    }
    return messages;
  }

  async #readFromLeader(from: Slot, max: number): Promise<readonly StoredMessage[]> {
    const { manager, stream } = this.#options;
    const { state } = await manager.streams.info(stream);
    const first = Math.max(from, state.first_seq);
    const end = Math.min(state.last_seq, first + Math.min(max, LEADER_READ_MESSAGES) - 1);
    const messages: StoredMessage[] = [];
    for (let slot = first; slot <= end; slot++) {
      const found = await manager.streams.getMessage(stream, { seq: slot });
      if (found === null) break;
      messages.push({ slot, message: Buffer.from(found.data) });
    }
    return messages;
  }

  #reconnect(): void {
    const { connection } = this.#options;
    connection.reconnect().catch(() => {
      // The connection is closed.
    });
  }
}

function hasCode(error: unknown, code: number): error is Error {
  return error instanceof Error && 'code' in error && error.code === code;
}
