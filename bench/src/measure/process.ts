import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { HashOrder } from './hash-program.ts';

/** The kernel reports processor time in hundredths of a second on every Linux that Node supports. */
const TICK_US = 10_000;

/**
 * Returns the processor time that a process has used (user and system, all threads, including ended ones), in
 * µs. The resolution is 10 ms, so measure at least a second of processor time.
 */
export function readCpuUs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  // The second field is the program's name in parentheses and may contain spaces, so fields are counted from
  // its end.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_US;
}

/**
 * Returns the processor time of the thread that runs the JavaScript of a process, in µs. Threads that hash passwords and
 * write to disk are left out.
 */
export function readMainThreadUs(pid: number): number {
  const [runNs = ''] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'latin1').split(' ');
  const us = Number(runNs) / 1_000;
  if (!(us > 0)) throw new Error('the kernel reports no processor time of threads');
  return us;
}

/** Memory of a process in bytes. `resident` includes pages of mapped files, `anonymous` does not. */
export type MemoryUse = { readonly residentBytes: number; readonly anonymousBytes: number };

/** Reads the current memory of a process from the kernel. */
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

/**
 * Samples the memory of a process ten times a second until disposal, and keeps the maximum of each figure.
 */
export class MemoryWatch {
  readonly #timer: NodeJS.Timeout;
  readonly #pid: number;
  #highest: MemoryUse;

  constructor(pid: number) {
    this.#pid = pid;
    this.#highest = readMemory(pid);
    this.#timer = setInterval(() => this.#sample(), SAMPLE_EVERY_MS);
  }

  /** Returns the maximum of each figure since the start, including a new sample. */
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
 * A process that only hashes passwords. The cost of a hash differs by up to a third between processes, depending
 * on the memory that each one gets, so a measurement needs several processes.
 */
export class HashProcess implements Disposable {
  readonly #child: ChildProcess = fork(PROGRAM);
  readonly #ended = new AbortController();

  constructor() {
    this.#child.once('exit', () => this.#ended.abort(new Error('the hashing process exited')));
  }

  /**
   * Returns the mean processor time of a hash in µs. `order` has the number of hashes, and how many run
   * concurrently.
   */
  async measure(order: HashOrder): Promise<number> {
    this.#child.send(order);
    const [us] = await once(this.#child, 'message', { signal: this.#ended.signal });
    return Number(us);
  }

  [Symbol.dispose](): void {
    this.#child.kill();
  }
}
