import { readClockMs } from '../measure/clock.ts';
import { CHAT_CASES, type ChatCase } from './chat-case.ts';

/** All cases, ready to be decided again and again. */
export class DecisionLoop {
  readonly #decisions: readonly (() => boolean)[];

  /** Throws when a case is decided otherwise than it should be: who decides wrongly has no speed. */
  constructor(name: string, prepare: (chatCase: ChatCase) => () => boolean) {
    this.#decisions = CHAT_CASES.map(prepare);
    CHAT_CASES.forEach((chatCase, index) => {
      if (this.#decisions[index]?.() !== chatCase.isAllowed)
        throw new Error(`${name} decides a case wrongly: ${JSON.stringify(chatCase)}`);
    });
  }

  /** Decides all cases over and over for so long; microseconds for one decision. */
  run(durationMs: number): number {
    const startMs = readClockMs();
    let decided = 0;
    let nowMs = startMs;
    while (nowMs - startMs < durationMs) {
      for (const decide of this.#decisions) decide();
      decided += this.#decisions.length;
      nowMs = readClockMs();
    }
    return ((nowMs - startMs) * 1_000) / decided;
  }
}
