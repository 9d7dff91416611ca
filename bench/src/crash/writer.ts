import type { Client } from '../client/client.ts';
import type { Json } from '../client/json.ts';
import type { Random } from '../random.ts';
import type { History } from './explain-state.ts';
import { type Operation, OperationSource } from './operation.ts';

const OUTSTANDING = 32;

/** One client that writes as fast as answers come, and remembers what it sent and what was acknowledged. */
export class Writer {
  readonly name: string;
  readonly #random: Random;
  #rows: ReadonlyMap<string, string> = new Map();
  #nextNumber = 1;

  constructor(name: string, random: Random) {
    this.name = name;
    this.#random = random;
  }

  /** Tells the writer what its rows hold now; to be called before each run. */
  adopt(rows: ReadonlyMap<string, string>): void {
    this.#rows = rows;
  }

  /** Writes on a connection until it ends. `refusal` is the first answer that was not `ok`. */
  async run(client: Client): Promise<{ readonly history: History; readonly refusal: string | undefined }> {
    const before = this.#rows;
    const parsed = [...before].map(([path, text]): [string, { [key: string]: Json }] => [
      path,
      JSON.parse(text),
    ]);
    const source = new OperationSource(this.name, this.#random, new Map(parsed), this.#nextNumber);
    const operations: Operation[] = [];
    let acknowledged = 0;
    let refusal: string | undefined;
    const writeInTurn = async (): Promise<void> => {
      while (client.isOpen && refusal === undefined) {
        const operation = source.next();
        operations.push(operation);
        const outcome = await client.request(operation.action, operation.body);
        if (outcome.kind === 'ok') acknowledged += 1;
        if (outcome.kind === 'refused')
          refusal = `${outcome.status}: ${outcome.text} for ${JSON.stringify(operation.body).slice(0, 300)}`;
      }
    };
    await Promise.all(Array.from({ length: OUTSTANDING }, writeInTurn));
    this.#nextNumber = source.nextNumber;
    return { history: { before, operations, acknowledged }, refusal };
  }
}
