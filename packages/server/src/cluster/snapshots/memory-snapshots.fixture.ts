import type { Choices } from '../model/choices.ts';
import type { Timers } from '../timers.ts';
import type { Snapshot, SnapshotStorage, StoredSnapshots } from './snapshot.ts';

/** Snapshots in memory, which all nodes of a simulation share. */
export class MemorySnapshots {
  readonly #pieces = new Map<string, Buffer[]>();
  readonly #complete = new Map<string, Snapshot>();
  /** Chance that a request fails, executed or not. */
  failing = 0;

  get stored(): StoredSnapshots {
    return this.#list();
  }

  /** Changes a byte of the first piece of each snapshot. */
  damage(): void {
    for (const pieces of this.#pieces.values()) pieces[0]?.fill(0xff, 0, 1);
  }

  /** Connects a node, whose requests take some of its time. */
  connect(timers: Pick<Timers, 'after'>, choices: Choices): SnapshotStorage {
    const request = <T>(execute: () => T): Promise<T> =>
      new Promise((resolve, reject) => {
        const isLost = choices.happens(this.failing);
        const isAnswerLost = choices.happens(this.failing);
        timers.after(choices.next() * 40, () => {
          if (isLost) return reject(new Error('a request is lost'));
          const result = execute();
          if (isAnswerLost) reject(new Error('an answer is lost'));
          else resolve(result);
        });
      });
    return {
      list: () => request(() => this.#list()),
      putPiece: (id, index, piece) =>
        request(() => {
          const pieces = this.#pieces.get(id) ?? [];
          pieces[index] = piece;
          this.#pieces.set(id, pieces);
        }),
      complete: (snapshot) => request(() => void this.#complete.set(snapshot.id, snapshot)),
      readPieces: (snapshot) => this.#read(snapshot, request),
      remove: (id) =>
        request(() => {
          this.#complete.delete(id);
          this.#pieces.delete(id);
        }),
    };
  }

  async *#read(
    { id, pieces }: Snapshot,
    request: <T>(execute: () => T) => Promise<T>,
  ): AsyncIterable<Buffer> {
    for (let index = 0; index < pieces; index++) {
      const piece = await request(() => this.#pieces.get(id)?.[index]);
      if (piece === undefined) throw new Error(`The snapshot ${id} lacks piece ${index}.`);
      yield piece;
    }
  }

  #list(): StoredSnapshots {
    const complete = [...this.#complete.values()].sort((a, b) => b.position.slot - a.position.slot);
    const others = [...this.#pieces].filter(([id]) => !this.#complete.has(id));
    return { complete, unfinished: new Map(others.map(([id, pieces]) => [id, pieces.length])) };
  }
}
