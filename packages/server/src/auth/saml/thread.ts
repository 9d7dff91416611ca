import { extname } from 'node:path';
import { clearTimeout, setTimeout } from 'node:timers';
import { Worker } from 'node:worker_threads';
import { FairQueue } from '../../platform/fair-queue.ts';
import type { Lease } from '../../platform/lease.ts';
import { ResourcePool } from '../../platform/resource-pool.ts';
import { AuthOverload } from '../errors.ts';
import { ProviderFailure } from '../providers/provider-requests.ts';
import type { SamlReply, SamlTask } from './thread-task.ts';

/** Maximum number of tasks that wait, and of those from one network. */
const MAX_WAITING = 64;
const MAX_WAITING_OF_NETWORK = 8;
/** Longest time for a task, in ms. It includes loading the library. */
const LIMIT_MS = 10_000;
const BUSY_SEC = 5;

/** Time after which a waiting task can be ended for another of the same network, in ms. */
const MAX_WAIT_MS = 1_000;

interface Waiting {
  readonly task: SamlTask;
  readonly network: string;
  readonly place: Lease;
  readonly resolve: (reply: SamlReply) => void;
  readonly reject: (reason: Error) => void;
}

/**
 * A thread that parses SAML documents, one at a time, so that a document that takes long delays no other request. It
 * starts at the first task, and does not keep the process alive. Networks take turns. If too many tasks wait, the
 * oldest task of the network with the most is rejected.
 */
export class SamlThread {
  readonly #queue = new FairQueue<Waiting>();
  /** The places for tasks that wait. */
  readonly #places: ResourcePool;
  #isBusy = false;
  #isEnded = false;
  #worker: Worker | undefined;
  readonly #limitMs: number;

  /** `nowMs` is a monotonic clock. */
  constructor(nowMs: () => number, { limitMs = LIMIT_MS }: { readonly limitMs?: number } = {}) {
    this.#limitMs = limitMs;
    this.#places = new ResourcePool(
      { total: MAX_WAITING, reserve: 0, ofNetwork: MAX_WAITING_OF_NETWORK, idleMs: MAX_WAIT_MS, isAge: true },
      nowMs,
    );
  }

  /** Runs a task. Rejects with an `AuthOverload` if too many wait, and with a `ProviderFailure` if it takes too long. */
  run(task: SamlTask, network: string): Promise<SamlReply> {
    return new Promise((resolve, reject) => {
      const giveUp = (): void => reject(new AuthOverload(BUSY_SEC));
      const place = this.#isEnded
        ? undefined
        : this.#places.take({ network, isPrivileged: false }, 1, () => {
            this.#queue.remove(network, waiting);
            giveUp();
          });
      if (place === undefined) {
        giveUp();
        return;
      }
      const waiting: Waiting = { task, network, place, resolve, reject };
      this.#queue.add(network, waiting);
      this.#next();
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isEnded = true;
    await this.#worker?.terminate();
    for (let left = this.#take(); left !== undefined; left = this.#take())
      left.reject(new AuthOverload(BUSY_SEC));
  }

  #take(): Waiting | undefined {
    const taken = this.#queue.take();
    taken?.place.release();
    return taken;
  }

  #next(): void {
    if (this.#isBusy || this.#isEnded) return;
    const taken = this.#take();
    if (taken === undefined) return;
    this.#isBusy = true;
    const { resolve, reject } = taken;
    void this.#runNow(taken.task)
      .then(resolve, reject)
      .finally(() => {
        this.#isBusy = false;
        this.#next();
      });
  }

  async #runNow(task: SamlTask): Promise<SamlReply> {
    const worker = this.#worker ?? this.#start();
    const { promise, resolve, reject } = Promise.withResolvers<SamlReply>();
    const onExit = (): void => reject(new ProviderFailure('The SAML document takes too long to verify.'));
    const limit = setTimeout(() => void worker.terminate(), this.#limitMs);
    worker.once('message', resolve).once('error', reject).once('exit', onExit);
    worker.ref();
    try {
      worker.postMessage(task);
      return await promise;
    } finally {
      clearTimeout(limit);
      worker.off('message', resolve).off('error', reject).off('exit', onExit);
      worker.unref();
    }
  }

  #start(): Worker {
    const worker = new Worker(new URL(`thread-program${extname(import.meta.filename)}`, import.meta.url));
    this.#worker = worker;
    const forget = (): void => {
      if (this.#worker === worker) this.#worker = undefined;
    };
    // A task has its own listener. Without this one, an error of an idle thread would end the process.
    worker.on('error', forget).once('exit', forget);
    return worker;
  }
}
