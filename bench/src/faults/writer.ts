import type { Random } from '../../../scripts/random.ts';
import type { Client } from '../client/client.ts';
import { type History, withoutRejected } from '../crash/history.ts';
import { type Operation, OperationSource } from '../crash/operation.ts';
import { pause } from '../measure/time.ts';
import { DISCONNECTED, type Seen } from './seen.ts';

const OUTSTANDING = 4;
/** Pause of each of the outstanding requests after an answer, in ms: a server under a fault needs no full load. */
const PAUSE_MS = 4;

/** The requests of a writer that the server has not rejected, and how often the server acknowledged one. */
export type WriterRun = {
  readonly history: History;
  /** Whether the connection ended before the run. */
  readonly isDisconnected: boolean;
};

/**
 * A client that writes at a moderate rate through a fault. Unlike the writer of the crash rounds, it continues when
 * the server rejects a request, because a server under a fault may reject requests.
 */
export class FaultWriter {
  readonly name: string;
  readonly #random: Random;
  readonly #seen: Seen;
  #rows: ReadonlyMap<string, string> = new Map();
  #nextNumber = 1;
  #acknowledged = 0;

  constructor(name: string, random: Random, seen: Seen) {
    this.name = name;
    this.#random = random;
    this.#seen = seen;
  }

  /** Number of acknowledged requests since the writer was created. */
  get acknowledged(): number {
    return this.#acknowledged;
  }

  /** Sets the current rows of the writer. Called before each run. */
  adopt(rows: ReadonlyMap<string, string>): void {
    this.#rows = rows;
  }

  /** Writes until `isDone` returns true or the connection ends. Closes the connection. */
  async run(connection: Client, isDone: () => boolean): Promise<WriterRun> {
    const before = this.#rows;
    const parsed = new Map([...before].map(([path, text]) => [path, JSON.parse(text)]));
    const source = new OperationSource(this.name, this.#random, parsed, this.#nextNumber);
    const operations: Operation[] = [];
    const rejected = new Set<number>();
    let acknowledged = 0;
    using client = connection;
    const writeInOrder = async (): Promise<void> => {
      while (client.isOpen && !isDone()) {
        const index = operations.length;
        const operation = source.next();
        operations.push(operation);
        const request = this.#seen.begin();
        const outcome = await client.request(operation.action, operation.body);
        if (outcome.kind === 'ok') {
          acknowledged += 1;
          this.#acknowledged += 1;
        } else if (outcome.kind === 'refused') {
          rejected.add(index);
          this.#seen.reject(request.phase(), `${outcome.status}: ${outcome.text}`);
        } else this.#seen.reject(request.phase(), DISCONNECTED);
        await pause(PAUSE_MS);
      }
    };
    await Promise.all(Array.from({ length: OUTSTANDING }, writeInOrder));
    this.#nextNumber = source.nextNumber;
    const history = {
      before,
      operations: withoutRejected(before, operations, (index) => rejected.has(index)),
      acknowledged,
    };
    return { history, isDisconnected: !client.isOpen };
  }
}
