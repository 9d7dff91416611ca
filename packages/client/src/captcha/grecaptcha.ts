import { exchangeAtServer } from './app-check-exchange.ts';
import { createCaptchaToken } from './solve.ts';
import { Verifiers } from './verifiers.ts';

/** The beginning of a site key of a Hearth server. The API key follows, and after a colon, the tenant. */
const SITE_KEY = 'hearth-pow.';
/** The action of the verifiers of reCAPTCHA v2, which name none. */
const VERIFIER_ACTION = 'verify';
const ENTERPRISE_SCRIPT = 'https://www.google.com/recaptcha/enterprise.js';

/** Requests of the SDK that may need a solved challenge, and the one that asks whether they do. */
const MARKED =
  /\/(?:v2\/recaptchaConfig|v1\/accounts:(?:signUp|signInWithPassword|sendOobCode|sendVerificationCode)|v2\/accounts\/mfa(?:Enrollment|SignIn):start)$/;

/**
 * Installs a `grecaptcha` that solves the challenges of a Hearth server, so that the official SDK loads no script of
 * Google. The App Check providers of the SDK get their tokens from the server too. `server` is the address of the
 * server. Does nothing if the page has a `grecaptcha` already. Call it before the page creates a `RecaptchaVerifier` or
 * initializes App Check.
 */
export function installCaptcha(server: string): void {
  if (Reflect.get(window, 'grecaptcha') !== undefined) return;
  const { origin } = new URL(server, location.href);
  const createToken = (siteKey: string, action: string): Promise<string> =>
    createCaptchaToken({ server: origin, action, ...appOf(siteKey) });
  const verifiers = new Verifiers(async (siteKey) => createToken(siteKey, VERIFIER_ACTION));
  const ready = (callback: () => void): void => callback();
  const render = (...given: Parameters<Verifiers['render']>): number => verifiers.render(...given);
  Reflect.set(window, 'grecaptcha', {
    ready,
    render,
    getResponse: (id?: number) => verifiers.getResponse(id),
    // Only the App Check providers of the SDK name an action.
    execute: (id?: number, action?: object) =>
      action === undefined ? verifiers.execute(id) : verifiers.attest(id),
    reset: (id?: number) => verifiers.reset(id),
    enterprise: {
      ready,
      render,
      execute: async (key: string | number, { action }: { readonly action: string }) =>
        typeof key === 'number' ? verifiers.attest(key) : createToken(key, action),
    },
  });
  changeRequests(origin);
  answerEnterpriseScript(document.head);
}

function appOf(siteKey: string): { readonly apiKey: string; readonly tenantId: string } {
  if (!siteKey.startsWith(SITE_KEY)) throw new Error('The site key is not one of a Hearth server.');
  const [apiKey = '', tenantId = ''] = siteKey.slice(SITE_KEY.length).split(':').map(decodeURIComponent);
  return { apiKey, tenantId };
}

/**
 * Marks the requests of the SDK, so that the server reports to the SDK when it requires a challenge, and sends those of the
 * App Check providers to the server.
 */
function changeRequests(origin: string): void {
  const original = window.fetch;
  window.fetch = (input, init) => {
    const exchanged = exchangeAtServer(origin, String(input), init);
    if (exchanged !== undefined) return exchanged;
    if (typeof input === 'string' && input.startsWith(`${origin}/`)) {
      const url = new URL(input);
      if (MARKED.test(url.pathname)) {
        url.searchParams.set('hearth', '1');
        return original.call(window, url.href, init);
      }
    }
    return original.call(window, input, init);
  };
}

/** Answers the script element of the SDK for a site key of a Hearth server as if the script had been loaded. */
function answerEnterpriseScript(head: HTMLHeadElement): void {
  const { appendChild, insertBefore, append } = head;
  head.appendChild = <T extends Node>(node: T): T =>
    isAnswered(node) ? node : (appendChild.call(head, node) as T);
  head.insertBefore = <T extends Node>(node: T, child: Node | null): T =>
    isAnswered(node) ? node : (insertBefore.call(head, node, child) as T);
  head.append = (...nodes) =>
    append.apply(
      head,
      nodes.filter((node) => !isAnswered(node)),
    );
}

/** Returns whether a node is the script element of the SDK, and answers it in a later task, as a loaded script would. */
function isAnswered(node: Node | string): boolean {
  if (!(node instanceof HTMLScriptElement) || !node.src.startsWith(`${ENTERPRISE_SCRIPT}?`)) return false;
  const query = new URLSearchParams(node.src.slice(ENTERPRISE_SCRIPT.length));
  if (query.get('render')?.startsWith(SITE_KEY) !== true) return false;
  setTimeout(() => {
    const onload: unknown = Reflect.get(window, query.get('onload') ?? '');
    if (typeof onload === 'function') onload();
    node.dispatchEvent(new Event('load'));
  });
  return true;
}
