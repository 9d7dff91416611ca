import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { HashOrder } from './hash-program.ts';

/** The kernel reports processor time in units of a hundredth of a second on every Linux that Node supports. */
const TICK_US = 10_000;

/**
 * Processor time (user and system, all threads, ended ones included) a process has used, in microseconds.
 * Resolution is 10 ms, so measure over a second of processor time or more.
 */
export function readCpuUs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  // The second field is the program's name in brackets and may contain spaces: count from its end.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_US;
}

/** Memory of a process in bytes. `resident` counts pages of mapped files, `anonymous` does not. */
export type MemoryUse = { readonly residentBytes: number; readonly anonymousBytes: number };

/** Reads what the kernel says a process holds in memory right now. */
export function readMemory(pid: number): MemoryUse {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  return { residentBytes: statusBytes(status, 'VmRSS'), anonymousBytes: statusBytes(status, 'RssAnon') };
}

function statusBytes(status: string, field: string): number {
  const found = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status);
  if (found === null) throw new Error(`the kernel reports no ${field}`);
  return Number(found[1]) * 1024;
}

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

const PROGRAM = fileURLToPath(new URL('./hash-program.ts', import.meta.url));

/**
 * A process that does nothing but hash passwords. What a hash costs differs from process to process by a third, by the
 * memory that each is given, so one process is no measure.
 */
export class HashProcess implements Disposable {
  readonly #child: ChildProcess = fork(PROGRAM);
  readonly #ended = new AbortController();

  constructor() {
    this.#child.once('exit', () => this.#ended.abort(new Error('the process that hashes has ended')));
  }

  /** Processor time of a hash in µs, of so many, of which some are computed at once. */
  async measure(order: HashOrder): Promise<number> {
    this.#child.send(order);
    const [us] = await once(this.#child, 'message', { signal: this.#ended.signal });
    return Number(us);
  }

  [Symbol.dispose](): void {
    this.#child.kill();
  }
}
