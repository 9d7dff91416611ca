import type { IncomingMessage } from 'node:http';
import { clearTimeout, setTimeout } from 'node:timers';
import { Refusal } from '@hearth/core/fault/refusal.ts';
import { IdentityOverload } from '../../accounts/identity-error.ts';
import { bodyOf, readBodyBytes, takeAtHand } from '../request-body.ts';
import { TurnGate } from './turn-gate.ts';

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
  readonly #gate = new TurnGate();
  #unfinishedBytes = 0;

  constructor(limits: BodyLimits) {
    this.#limits = limits;
  }

  /**
   * The bytes of a body. Refuses a longer one, and with an `IdentityOverload` any while there is no room. Ends the connection of
   * one that is too slow or that takes the last of the room, which clients take for a network that fails. `beforeWaiting` may
   * refuse to wait for a body that did not come together with its head.
   */
  async read(
    request: IncomingMessage,
    maxBytes: number,
    beforeWaiting: () => void = () => undefined,
  ): Promise<Buffer> {
    if (this.#unfinishedBytes >= this.#limits.unfinishedBytes) throw new IdentityOverload(RETRY_AFTER_SEC);
    // The platform hands over the head first, and then what came with it.
    await this.#gate.wait();
    const atHand = takeAtHand(bodyOf(request), maxBytes);
    if (atHand !== undefined) return atHand;
    beforeWaiting();
    // Who had listened for it could not leave it to be drained: nothing more would come of its connection.
    if ((bodyOf(request).announcedBytes ?? 0) > maxBytes) throw new Refusal('request/too-big');
    return this.#readAsItComes(request, maxBytes);
  }

  async #readAsItComes(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
    // Nothing more would be heard of it.
    if (request.destroyed) throw new Refusal('request/malformed', 'The body of the request broke off.');
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
