import type { Principal } from '../../access/principal.ts';
import type { WriteTransaction } from '../../storage/transaction/transaction.ts';
import { endDisconnected, type QueueOwner, type UnfinishedSessions } from '../disconnect/queue.ts';

/** The last step of a session: the execution of its queued writes. A large queue takes several transactions. */
export class SessionEnd {
  readonly #session: QueueOwner;
  readonly #unfinished: UnfinishedSessions;
  readonly #onOver: () => void;
  /** Created on first use, which is rare. */
  #over: PromiseWithResolvers<void> | undefined;
  #isOver = false;

  constructor(session: QueueOwner, unfinished: UnfinishedSessions, onOver: () => void) {
    this.#session = session;
    this.#unfinished = unfinished;
    this.#onOver = onOver;
  }

  /** Settles once the queued writes are executed, or have to wait because the disk is full. */
  get over(): Promise<void> {
    if (this.#over === undefined) {
      this.#over = Promise.withResolvers();
      if (this.#isOver) this.#over.resolve();
    }
    return this.#over.promise;
  }

  /** Executes the queued writes. If the transaction cannot execute all, the rest follows in later transactions. */
  begin(transaction: WriteTransaction, identity: Principal): void {
    const { id, database } = this.#session;
    const outcome = endDisconnected(transaction, database, id, identity);
    transaction.onCommit(() => {
      switch (outcome) {
        case 'done':
          this.#settle();
          return;
        case 'more':
          void this.#unfinished.finish(id, database.name, identity).then(() => this.#settle());
          return;
        case 'postponed':
          this.postpone(identity);
          return;
        default:
          outcome satisfies never;
      }
    });
  }

  /** Leaves the queued writes to be executed later. */
  postpone(identity: Principal): void {
    const { id, database } = this.#session;
    this.#unfinished.add(id, database.name, identity);
    this.#settle();
  }

  #settle(): void {
    this.#session.disconnectBytes.hold(0);
    this.#isOver = true;
    this.#over?.resolve();
    this.#onOver();
  }
}
