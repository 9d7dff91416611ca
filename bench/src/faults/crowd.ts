import { Agent } from 'node:http';
import { pause } from '../measure/time.ts';
import type { FaultBed } from './bed.ts';
import { askHttp, type HttpAnswer, type HttpOrder } from './http.ts';
import { DISCONNECTED, type Seen } from './seen.ts';

const PAUSE_MS = 15;
const MEMBERS = 3;
const RETRY_MS = 50;

/**
 * Clients that are not part of the fault: each writes a value over REST, reads it again, and records the latencies. A
 * value that was acknowledged must be read back.
 */
export class Crowd {
  readonly #bed: FaultBed;
  readonly #seen: Seen;

  constructor(bed: FaultBed, seen: Seen) {
    this.#bed = bed;
    this.#seen = seen;
  }

  /** Writes and reads until `isDone` returns true. Returns one sentence for each mistake of the server. */
  async run(isDone: () => boolean): Promise<readonly string[]> {
    const members = Array.from({ length: MEMBERS }, (_, member) => this.#work(member, isDone));
    return (await Promise.all(members)).flat();
  }

  async #work(member: number, isDone: () => boolean): Promise<readonly string[]> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const path = this.#bed.dataPath(`/crowd/m${member}`);
    const problems: string[] = [];
    try {
      for (let number = 1; !isDone(); number += 1) {
        const written = await this.#ask(agent, { method: 'PUT', path, body: number });
        const read = written.status === 200 ? await this.#ask(agent, { method: 'GET', path }) : undefined;
        if (read?.status === 200 && read.text.trim() !== String(number))
          problems.push(`crowd: read ${read.text} after an acknowledged write of ${number}`);
        await pause(written.status === 0 ? RETRY_MS : PAUSE_MS);
      }
    } finally {
      agent.destroy();
    }
    return problems;
  }

  async #ask(agent: Agent, order: HttpOrder): Promise<HttpAnswer> {
    const request = this.#seen.begin();
    const answer = await askHttp(this.#bed.port, order, agent);
    if (answer.status === 0) this.#seen.reject(request.phase(), DISCONNECTED);
    else if (answer.status !== 200)
      this.#seen.reject(request.phase(), `${answer.status}: ${answer.text.trim()}`);
    this.#seen.addLatency(request.phase(), request.tookMs());
    return answer;
  }
}
