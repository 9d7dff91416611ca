import { createCaptchaToken } from './solve.ts';

/** The constant address at which the App Check providers of the SDK exchange their proofs for tokens. */
const EXCHANGE =
  /^https:\/\/content-firebaseappcheck\.googleapis\.com(?=\/v1\/projects\/[^/]+\/apps\/[^/]+:exchange(?:RecaptchaV3|RecaptchaEnterprise|Debug)Token\?)/;

/** The members of a request that a token of reCAPTCHA proves. */
const PROOFS = ['recaptcha_v3_token', 'recaptcha_enterprise_token'];

/**
 * Sends a request of the SDK's App Check providers to the server at `origin` instead, with a solved challenge in the place of
 * a token of reCAPTCHA: its address is the first that names the API key of the app. Returns `undefined` for other requests.
 */
export function exchangeAtServer(
  origin: string,
  address: string,
  init: RequestInit | undefined,
): Promise<Response> | undefined {
  if (!EXCHANGE.test(address) || typeof init?.body !== 'string') return undefined;
  return exchange(origin, new URL(address.replace(EXCHANGE, origin)), init, JSON.parse(init.body));
}

async function exchange(origin: string, url: URL, init: RequestInit, body: object): Promise<Response> {
  const apiKey = url.searchParams.get('key') ?? '';
  const proof = PROOFS.find((name) => name in body);
  const proven =
    proof === undefined
      ? body
      : { ...body, [proof]: await createCaptchaToken({ server: origin, apiKey, action: 'appCheck' }) };
  return fetch(url, { ...init, body: JSON.stringify(proven) });
}
