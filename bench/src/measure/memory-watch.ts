import { type MemoryUse, readMemory } from './process-usage.ts';

const SAMPLE_EVERY_MS = 100;

/** Samples a process's memory ten times a second until disposed, and keeps the highest of each figure. */
export class MemoryWatch {
  readonly #timer: NodeJS.Timeout;
  readonly #pid: number;
  #highest: MemoryUse;

  constructor(pid: number) {
    this.#pid = pid;
    this.#highest = readMemory(pid);
    this.#timer = setInterval(() => this.#sample(), SAMPLE_EVERY_MS);
  }

  /** The highest of each figure since the watch began, this moment included. */
  readHighest(): MemoryUse {
    this.#sample();
    return this.#highest;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #sample(): void {
    const seen = readMemory(this.#pid);
    this.#highest = {
      residentBytes: Math.max(this.#highest.residentBytes, seen.residentBytes),
      anonymousBytes: Math.max(this.#highest.anonymousBytes, seen.anonymousBytes),
    };
  }
}
