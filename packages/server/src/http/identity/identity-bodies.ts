import type { IncomingMessage } from 'node:http';
import { clearTimeout, setTimeout } from 'node:timers';
import { IdentityOverload } from '../../accounts/identity-error.ts';
import { bodyOf, readBodyBytes } from '../request-body.ts';

/** What is held of bodies at most, and for how long. */
export interface BodyLimits {
  /** Bytes of all bodies together that have not come to their end. */
  readonly unfinishedBytes: number;
  /** From the head of a request to the end of its body. */
  readonly deadlineMs: number;
}

export const BODY_LIMITS: BodyLimits = { unfinishedBytes: 67_108_864, deadlineMs: 30_000 };

/** When to come back: unfinished bodies are gone by then. */
const RETRY_AFTER_SEC = 30;

/** Reads the bodies of requests for identity, which together take a bounded room. */
export class IdentityBodies {
  readonly #limits: BodyLimits;
  #unfinishedBytes = 0;

  constructor(limits: BodyLimits) {
    this.#limits = limits;
  }

  /**
   * The bytes of a body. Refuses a longer one, and with an `IdentityOverload` any while there is no room. Ends the connection of
   * one that is too slow or that takes the last of the room, which clients take for a network that fails.
   */
  async read(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
    if (this.#unfinishedBytes >= this.#limits.unfinishedBytes) throw new IdentityOverload(RETRY_AFTER_SEC);
    let bytes = 0;
    const count = (chunk: Buffer): void => {
      bytes += chunk.length;
      this.#unfinishedBytes += chunk.length;
      if (this.#unfinishedBytes > this.#limits.unfinishedBytes) request.destroy();
    };
    const deadline = setTimeout(() => request.destroy(), this.#limits.deadlineMs);
    try {
      const whole = readBodyBytes(bodyOf(request), maxBytes);
      request.on('data', count);
      return await whole;
    } finally {
      clearTimeout(deadline);
      request.off('data', count);
      this.#unfinishedBytes -= bytes;
    }
  }
}
