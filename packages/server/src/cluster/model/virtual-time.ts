import type { Timers } from '../timers.ts';

interface Event {
  readonly atMs: number;
  readonly order: number;
  readonly action: () => void;
}

/** Runs actions in the order of their virtual time. A binary heap; equal times keep the order of their creation. */
export class VirtualTime implements Timers {
  readonly #heap: Event[] = [];
  #nowMs = 0;
  #order = 0;

  elapsedMs(): number {
    return this.#nowMs;
  }

  after(ms: number, action: () => void): () => void {
    let isCancelled = false;
    this.#insert({
      atMs: this.#nowMs + ms,
      order: this.#order++,
      action: () => {
        if (!isCancelled) action();
      },
    });
    return () => {
      isCancelled = true;
    };
  }

  /** Runs actions until `isDone`, or until the virtual time is over. Returns whether `isDone` became true. */
  runUntil(isDone: () => boolean, limitMs: number): boolean {
    while (!isDone()) if (!this.#runNext(limitMs)) return false;
    return true;
  }

  /** Like `runUntil`, but after each action also runs the code that waits for promises. */
  async runAsyncUntil(isDone: () => boolean, limitMs: number): Promise<boolean> {
    while (!isDone()) {
      if (!this.#runNext(limitMs)) return false;
      await new Promise((resolve) => setImmediate(resolve));
    }
    return true;
  }

  /** Runs the next action, unless it is due after a time. Returns whether it ran. */
  #runNext(limitMs: number): boolean {
    const [next] = this.#heap;
    if (next === undefined || next.atMs > limitMs) return false;
    this.#takeFirst();
    this.#nowMs = next.atMs;
    next.action();
    return true;
  }

  #insert(event: Event): void {
    const heap = this.#heap;
    let index = heap.length;
    while (index > 0) {
      const parentIndex = (index - 1) >> 1;
      const parent = heap[parentIndex];
      if (parent === undefined || isBefore(parent, event)) break;
      heap[index] = parent;
      index = parentIndex;
    }
    heap[index] = event;
  }

  #takeFirst(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      let smaller = heap[child];
      if (smaller === undefined) break;
      const right = heap[child + 1];
      if (right !== undefined && isBefore(right, smaller)) {
        child += 1;
        smaller = right;
      }
      if (isBefore(last, smaller)) break;
      heap[index] = smaller;
      index = child;
    }
    heap[index] = last;
  }
}

function isBefore(a: Event, b: Event): boolean {
  return a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);
}
