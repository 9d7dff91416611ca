/** Does something once, some time after it was asked for, however often that is meanwhile. */
export class Delay {
  readonly #ms: number;
  readonly #act: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(ms: number, act: () => void) {
    this.#ms = ms;
    this.#act = act;
  }

  /** Asks for it, unless that was done already. */
  begin(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#act();
    }, this.#ms);
  }

  /** Asks for it, from now on, even if that was done already. */
  beginAgain(): void {
    this.cancel();
    this.begin();
  }

  cancel(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
