import { addBox, type Box } from './box.ts';

/** The parameters that a page passes to `grecaptcha.render`. Callbacks are functions, or names of global functions. */
export interface VerifierParameters {
  readonly sitekey?: string;
  readonly size?: string;
  readonly theme?: string;
  readonly callback?: unknown;
  readonly 'expired-callback'?: unknown;
  readonly 'error-callback'?: unknown;
}

/** Returns a new token for a site key. */
export type TokenSource = (siteKey: string) => Promise<string>;

/**
 * Time from the request for a challenge until a page drops the token, in ms. The server accepts a token until 120 s after
 * it issued the challenge. The rest is for sending the token.
 */
const TOKEN_MS = 110_000;

/**
 * Takes the place of a token if an invisible verifier cannot solve a challenge. The server rejects it, and the app shows
 * the error.
 */
const UNSOLVED = 'unsolved';

/** Takes the place of the token of an App Check provider, until the SDK exchanges it. */
const NOT_SOLVED_YET = 'later';

/** Implements the functions of reCAPTCHA that the SDK calls for a sign-in by phone and for App Check. */
export class Verifiers {
  readonly #createToken: TokenSource;
  readonly #verifiers: Verifier[] = [];

  constructor(createToken: TokenSource) {
    this.#createToken = createToken;
  }

  /** Adds a verifier and returns its id. The id is never 0, because the SDK treats 0 as no verifier. */
  render(container: HTMLElement | string, parameters: VerifierParameters): number {
    const element = typeof container === 'string' ? document.getElementById(container) : container;
    if (element === null) throw new Error(`The page has no element "${String(container)}".`);
    return this.#verifiers.push(new Verifier(element, parameters, this.#createToken));
  }

  /** Returns the token of a verifier; empty if it has none. */
  getResponse(id = 1): string {
    return this.#of(id).token;
  }

  /** Starts to solve a challenge. */
  execute(id = 1): void {
    this.#of(id).start();
  }

  /** Drops the token of a verifier. */
  reset(id = 1): void {
    this.#of(id).reset();
  }

  /**
   * Reports success to an App Check provider of the SDK. Its verifier solves nothing, because the challenge belongs to an API
   * key, which only the exchange of the token names.
   */
  async attest(id = 1): Promise<string> {
    this.#of(id).attest();
    return NOT_SOLVED_YET;
  }

  #of(id: number): Verifier {
    const verifier = this.#verifiers[id - 1];
    if (verifier === undefined) throw new Error(`There is no verifier ${id}.`);
    return verifier;
  }
}

class Verifier {
  readonly #parameters: VerifierParameters;
  readonly #createToken: TokenSource;
  /** `null` for an invisible verifier. */
  readonly #box: Box | null;
  /** Changes with every reset, so that the result of an earlier attempt is dropped. */
  #round = 0;
  #isSolving = false;
  #expiry: ReturnType<typeof setTimeout> | undefined;
  token = '';

  constructor(container: HTMLElement, parameters: VerifierParameters, createToken: TokenSource) {
    this.#parameters = parameters;
    this.#createToken = createToken;
    const start = (): void => this.start();
    this.#box =
      parameters.size === 'invisible'
        ? null
        : addBox(container, { theme: parameters.theme, onSeen: start, onSelect: start });
  }

  /** Starts to solve a challenge, unless it is already being solved or is solved. */
  start(): void {
    if (this.#isSolving || this.token !== '') return;
    const round = this.#round;
    const startedAtMs = performance.now();
    this.#isSolving = true;
    this.#box?.show('checking');
    this.#createToken(this.#parameters.sitekey ?? '').then(
      (token) => {
        if (round === this.#round) this.#succeed(token, startedAtMs + TOKEN_MS - performance.now());
      },
      () => {
        if (round === this.#round) this.#fail();
      },
    );
  }

  /** Drops the token. A visible verifier starts the next challenge immediately, because the SDK waits for its token. */
  reset(): void {
    this.#forget();
    if (this.#box === null) return;
    this.#box.show('unchecked');
    this.start();
  }

  /** Calls the callback as if a challenge had been solved. */
  attest(): void {
    call(this.#parameters.callback, NOT_SOLVED_YET);
  }

  /** Keeps a token for `leftMs`. */
  #succeed(token: string, leftMs: number): void {
    if (leftMs <= 0) {
      this.#fail();
      return;
    }
    this.#isSolving = false;
    this.token = token;
    this.#box?.show('checked');
    this.#expiry = setTimeout(() => {
      this.#forget();
      this.#box?.show('expired');
      call(this.#parameters['expired-callback']);
    }, leftMs);
    call(this.#parameters.callback, token);
  }

  #fail(): void {
    this.#isSolving = false;
    call(this.#parameters['error-callback']);
    if (this.#box === null) call(this.#parameters.callback, UNSOLVED);
    else this.#box.show('failed');
  }

  #forget(): void {
    clearTimeout(this.#expiry);
    this.#round += 1;
    this.#isSolving = false;
    this.token = '';
  }
}

/** Calls a callback: a function, or the name of a global function. */
function call(callback: unknown, ...values: readonly unknown[]): void {
  const found: unknown = typeof callback === 'string' ? Reflect.get(window, callback) : callback;
  if (typeof found === 'function') found(...values);
}
