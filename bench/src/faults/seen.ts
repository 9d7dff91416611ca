import { readClockMs } from '../measure/time.ts';

/** The part of a repeat in which a request was sent or answered. */
export type Phase = 'quiet' | 'fault';

/** A request that the server rejected, or that got no response. */
export type Rejection = { readonly phase: Phase; readonly text: string };

/** The observations of all clients since the last call of `take`. */
export type Report = {
  readonly rejections: readonly Rejection[];
  /** Latencies of the crowd in ms, by the phase in which a request was sent or answered. */
  readonly latenciesMs: Readonly<Record<Phase, readonly number[]>>;
};

/** The text of a request whose connection ended before the answer. */
export const DISCONNECTED = 'disconnected';

/** Records the rejections and latencies that clients observe, by phase. */
export class Seen {
  #phase: Phase = 'quiet';
  #rejections: Rejection[] = [];
  #latenciesMs: Record<Phase, number[]> = { quiet: [], fault: [] };

  get phase(): Phase {
    return this.#phase;
  }

  /** Number of requests that were rejected during the fault. */
  get rejectedInFault(): number {
    return this.#rejections.filter(({ phase, text }) => phase === 'fault' && text !== DISCONNECTED).length;
  }

  enter(phase: Phase): void {
    this.#phase = phase;
  }

  /** Marks the start of a request. The result belongs to the fault if the request began or ended in it. */
  begin(): { readonly phase: () => Phase; readonly tookMs: () => number } {
    const began = this.#phase;
    const startedMs = readClockMs();
    return {
      phase: () => (began === 'fault' ? 'fault' : this.#phase),
      tookMs: () => readClockMs() - startedMs,
    };
  }

  reject(phase: Phase, text: string): void {
    this.#rejections.push({ phase, text });
  }

  addLatency(phase: Phase, ms: number): void {
    this.#latenciesMs[phase].push(ms);
  }

  /** Returns the observations since the last call. */
  take(): Report {
    const report = { rejections: this.#rejections, latenciesMs: this.#latenciesMs };
    this.#rejections = [];
    this.#latenciesMs = { quiet: [], fault: [] };
    return report;
  }
}
