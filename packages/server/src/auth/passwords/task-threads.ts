import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { copyBuffers, type ThreadTask } from './thread-task.ts';

/**
 * Threads for tasks, started on demand. Their number is the highest number of tasks that ran in parallel so far,
 * which the caller limits. An idle thread does not keep the process alive.
 */
export class TaskThreads {
  readonly #idle: Worker[] = [];
  readonly #all = new Set<Worker>();
  #isEnded = false;

  /** Runs a task. Rejects when the task fails or the threads are disposed of. */
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
      thread.postMessage(copyBuffers(task));
    });
  }

  /** Ends the threads. Waits for the hash that a thread is computing, because it cannot be interrupted. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isEnded = true;
    await Promise.all([...this.#all].map((thread) => thread.terminate()));
  }

  #start(): Worker {
    const program = new URL(`thread-program${extname(import.meta.filename)}`, import.meta.url);
    const thread = new Worker(program);
    this.#all.add(thread);
    // Callers that wait for a task have their own listener. Without this one, an error of an idle thread would
    // end the process.
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
