import type { JetStreamClient, JetStreamManager } from '@nats-io/jetstream';
import {
  decodeSnapshot,
  encodeSnapshot,
  type Snapshot,
  type SnapshotStorage,
  type StoredSnapshots,
} from './snapshots/snapshot.ts';

export interface JetStreamSnapshotsOptions {
  readonly client: JetStreamClient;
  readonly manager: JetStreamManager;
  readonly stream: string;
  /** Begins all subjects of the stream: `<prefix>.pieces.<id>` and `<prefix>.description.<id>`. */
  readonly prefix: string;
}

const PUT_TIMEOUT_MS = 5_000;

/** How often a piece is sent. The servers store it once. */
const PUT_ATTEMPTS = 4;

const READ_MESSAGES = 64;
const READ_BYTES = 4 * 2 ** 20;

/** Number of reads without a piece, one after the other, after which it is missing. */
const MAX_EMPTY_READS = 10;
const EMPTY_READ_PAUSE_MS = 200;

/** A piece begins with its number: 4 bytes, big-endian. */
const INDEX_BYTES = 4;

/** Snapshots in a stream of NATS JetStream. */
export class JetStreamSnapshots implements SnapshotStorage {
  readonly #options: JetStreamSnapshotsOptions;

  constructor(options: JetStreamSnapshotsOptions) {
    this.#options = options;
  }

  async list(): Promise<StoredSnapshots> {
    const { manager, stream, prefix } = this.#options;
    const { state } = await manager.streams.info(stream, { subjects_filter: `${prefix}.>` });
    const counts = Object.entries(state.subjects ?? {});
    const pieces = new Map(counts.flatMap(([subject, count]) => pairOf(subject, `${prefix}.pieces.`, count)));
    const complete: Snapshot[] = [];
    for (const [id] of counts.flatMap(([subject]) => pairOf(subject, `${prefix}.description.`, 0))) {
      const found = await manager.streams.getMessage(stream, { last_by_subj: this.#descriptionOf(id) });
      const snapshot = found === null ? undefined : decodeSnapshot(Buffer.from(found.data));
      const count = pieces.get(id) ?? 0;
      if (snapshot?.pieces === count) {
        complete.push(snapshot);
        pieces.delete(id);
      } else pieces.set(id, count);
    }
    complete.sort((a, b) => b.position.slot - a.position.slot);
    return { complete, unfinished: pieces };
  }

  async putPiece(id: string, index: number, piece: Buffer): Promise<void> {
    const number = Buffer.alloc(INDEX_BYTES);
    number.writeUInt32BE(index);
    await this.#put(this.#piecesOf(id), Buffer.concat([number, piece]), `${id}-${index}`);
  }

  async complete(snapshot: Snapshot): Promise<void> {
    const { id } = snapshot;
    await this.#put(this.#descriptionOf(id), encodeSnapshot(snapshot), `${id}-description`);
  }

  async *readPieces({ id, pieces }: Snapshot): AsyncIterable<Buffer> {
    let from = 1;
    let emptyReads = 0;
    for (let index = 0; index < pieces; ) {
      const before = index;
      for (const { seq, data } of await this.#readBatch(id, from)) {
        const piece = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
        // A message of the batch was lost.
        if (piece.readUInt32BE(0) !== index) break;
        yield piece.subarray(INDEX_BYTES);
        from = seq + 1;
        index += 1;
      }
      emptyReads = index === before ? emptyReads + 1 : 0;
      if (emptyReads === MAX_EMPTY_READS) throw new Error(`The snapshot ${id} lacks piece ${index}.`);
      if (emptyReads > 0) await new Promise((resolve) => setTimeout(resolve, EMPTY_READ_PAUSE_MS));
    }
  }

  async remove(id: string): Promise<void> {
    const { manager, stream } = this.#options;
    // A snapshot without a description is not used.
    for (const filter of [this.#descriptionOf(id), this.#piecesOf(id)])
      await manager.streams.purge(stream, { filter });
  }

  #piecesOf(id: string): string {
    return `${this.#options.prefix}.pieces.${id}`;
  }

  #descriptionOf(id: string): string {
    return `${this.#options.prefix}.description.${id}`;
  }

  async #put(subject: string, bytes: Buffer, msgID: string): Promise<void> {
    const { client, stream } = this.#options;
    for (let attempt = 1; ; attempt++)
      try {
        await client.publish(subject, bytes, {
          msgID,
          expect: { streamName: stream },
          timeout: PUT_TIMEOUT_MS,
        });
        return;
      } catch (error) {
        if (attempt === PUT_ATTEMPTS) throw error;
      }
  }

  /** Resolves with pieces from a sequence number on; none if the servers do not answer. */
  async #readBatch(
    id: string,
    from: number,
  ): Promise<readonly { readonly seq: number; readonly data: Uint8Array }[]> {
    const { manager, stream } = this.#options;
    const messages: { readonly seq: number; readonly data: Uint8Array }[] = [];
    try {
      const batch = await manager.direct.getBatch(stream, {
        seq: from,
        batch: READ_MESSAGES,
        max_bytes: READ_BYTES,
        next_by_subj: this.#piecesOf(id),
      });
      for await (const { seq, data } of batch) messages.push({ seq, data });
    } catch {
      // The messages that arrived before the error are in order.
    }
    return messages;
  }
}

/** Returns the rest of a subject after a prefix, with a number; nothing for other subjects. */
function pairOf(subject: string, prefix: string, count: number): readonly (readonly [string, number])[] {
  return subject.startsWith(prefix) ? [[subject.slice(prefix.length), count]] : [];
}
