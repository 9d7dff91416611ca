import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { withOwnBytes } from './own-bytes.ts';
import type { ThreadTask } from './run-thread-task.ts';

/**
 * Threads for tasks, started when first needed: as many as there ever were tasks at once, which whoever asks limits. An idle
 * thread does not keep the process alive.
 */
export class TaskThreads {
  readonly #idle: Worker[] = [];
  readonly #all = new Set<Worker>();
  #isEnded = false;

  /** Rejects when the task fails or the threads are disposed of. */
  run(task: ThreadTask): Promise<Uint8Array> {
    if (this.#isEnded) return Promise.reject(threadEnded());
    const thread = this.#idle.pop() ?? this.#start();
    thread.ref();
    return new Promise((resolve, reject) => {
      const succeed = (bytes: Uint8Array): void => {
        thread.off('error', reject).off('exit', fail);
        thread.unref();
        this.#idle.push(thread);
        resolve(bytes);
      };
      const fail = (): void => {
        thread.off('message', succeed);
        reject(threadEnded());
      };
      thread.once('message', succeed).once('error', reject).once('exit', fail);
      thread.postMessage(withOwnBytes(task));
    });
  }

  /** Waits for what a thread cannot leave in the middle: one hash. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isEnded = true;
    await Promise.all([...this.#all].map((thread) => thread.terminate()));
  }

  #start(): Worker {
    const program = new URL(`thread-program${extname(import.meta.filename)}`, import.meta.url);
    const thread = new Worker(program);
    this.#all.add(thread);
    // Whoever waits for a task is told by a listener of its own. Without this one, an idle thread could end the process.
    thread.on('error', () => undefined);
    thread.once('exit', () => {
      this.#all.delete(thread);
      const index = this.#idle.indexOf(thread);
      if (index >= 0) this.#idle.splice(index, 1);
    });
    return thread;
  }
}

function threadEnded(): Error {
  return new Error('The thread that hashed a password ended.');
}
