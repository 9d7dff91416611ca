import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { isJsonObject } from '../network/json.ts';
import type { Target } from '../network/target.ts';
import type { AttackCounts } from '../scenarios/scenario.ts';

const PROGRAM = join(import.meta.dirname, 'attack-process.ts');
const NODE_BINARY = join(import.meta.dirname, '../../../node_modules/.bin/node');

/** Time within which an attack must end after `stop`, in ms. */
const END_WITHIN_MS = 15_000;

/** A process that attacks the server. */
export class Attacker implements Disposable {
  readonly #child: ChildProcess;
  readonly #result: Promise<unknown>;
  #isComplete = false;

  private constructor(child: ChildProcess) {
    this.#child = child;
    this.#result = new Promise((resolve) => {
      child.on('message', (message) => {
        if (isJsonObject(message) && message['isComplete'] === true) this.#isComplete = true;
        else resolve(message);
      });
      child.once('exit', (code) => resolve({ error: `The attacker exited with ${code}.` }));
    });
  }

  /** Starts the process, and begins the attack. */
  static async start(scenario: string, target: Target): Promise<Attacker> {
    const child = fork(PROGRAM, [scenario], { execPath: NODE_BINARY, execArgv: ['--conditions=source'] });
    const [ready] = await Promise.race([once(child, 'message'), once(child, 'exit')]);
    if (!isJsonObject(ready)) throw new Error('The attacker could not start.');
    const attacker = new Attacker(child);
    child.send(target);
    return attacker;
  }

  /** Whether the attack has made all its requests, and only keeps its connections open. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Ends the attack. Rejects if the attack failed with an error of its own, which is a mistake in the scenario. */
  async stop(): Promise<AttackCounts> {
    if (this.#child.connected) this.#child.send('stop');
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), END_WITHIN_MS);
    const result = await this.#result;
    clearTimeout(timer);
    const counts = isJsonObject(result) ? result['counts'] : undefined;
    if (!isJsonObject(counts))
      throw new Error(isJsonObject(result) ? String(result['error']) : 'The attacker sent no counts.');
    return Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, Number(count)]));
  }

  [Symbol.dispose](): void {
    this.#child.kill('SIGKILL');
  }
}
