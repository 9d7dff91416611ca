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

/** How long a page may use a token, in ms: less than the server accepts it, because the token was on its way. */
const TOKEN_MS = 110_000;

/** The token of a verifier that could not solve a challenge. The server rejects it, and the app shows the error. */
const UNSOLVED = 'unsolved';

/** Verifiers in the form of the older reCAPTCHA, which the SDK uses for phones. */
export class Verifiers {
  readonly #createToken: TokenSource;
  readonly #verifiers: Verifier[] = [];

  constructor(createToken: TokenSource) {
    this.#createToken = createToken;
  }

  /** Adds a verifier and returns its id, which is never 0: the SDK takes 0 for none. */
  render(container: HTMLElement | string, parameters: VerifierParameters): number {
    const element = typeof container === 'string' ? document.getElementById(container) : container;
    if (element === null) throw new Error(`The page has no element "${String(container)}".`);
    return this.#verifiers.push(new Verifier(element, parameters, this.#createToken));
  }

  getResponse(id = 1): string {
    return this.#of(id).token;
  }

  execute(id = 1): void {
    this.#of(id).start();
  }

  reset(id = 1): void {
    this.#of(id).reset();
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
  /** Changes with every reset, so that the result of an earlier search is dropped. */
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

  /** Starts to solve a challenge, unless there is a solution or a search. */
  start(): void {
    if (this.#isSolving || this.token !== '') return;
    const round = this.#round;
    this.#isSolving = true;
    this.#box?.show('checking');
    this.#createToken(this.#parameters.sitekey ?? '').then(
      (token) => {
        if (round === this.#round) this.#succeed(token);
      },
      () => {
        if (round === this.#round) this.#fail();
      },
    );
  }

  /** Forgets the solution. A visible verifier solves the next challenge at once: the SDK waits for it. */
  reset(): void {
    this.#forget();
    if (this.#box === null) return;
    this.#box.show('unchecked');
    this.start();
  }

  #succeed(token: string): void {
    this.#isSolving = false;
    this.token = token;
    this.#box?.show('checked');
    this.#expiry = setTimeout(() => {
      this.#forget();
      this.#box?.show('expired');
      call(this.#parameters['expired-callback']);
    }, TOKEN_MS);
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

function call(callback: unknown, ...values: readonly unknown[]): void {
  const found: unknown = typeof callback === 'string' ? Reflect.get(window, callback) : callback;
  if (typeof found === 'function') found(...values);
}
