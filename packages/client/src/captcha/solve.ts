import { withTimeLimit } from '../time-limit.ts';

/** A proof of work of a Hearth server, in the format of ALTCHA version 2. */
interface Challenge {
  readonly parameters: {
    readonly cost: number;
    readonly keyLength: number;
    readonly keyPrefix: string;
    readonly nonce: string;
    readonly salt: string;
  };
}

/** The request for which a solved challenge is needed. */
export interface CaptchaTarget {
  /** The address of the server, without a path. */
  readonly server: string;
  readonly apiKey: string;
  /** An empty text for none. */
  readonly tenantId?: string;
  /** For example `signInWithPassword`. */
  readonly action: string;
}

const COUNTER_BYTES = 4;
/** Keys that are derived at the same time. Browsers derive them outside of the page's thread. */
const MAX_PARALLEL = 4;

/** Asks the server for a challenge, solves it, and returns the token. Rejects if the server gives none. */
export async function createCaptchaToken({ server, ...asked }: CaptchaTarget): Promise<string> {
  const challenge = await withTimeLimit(async (signal) => {
    // Without a content type for JSON, browsers ask the server nothing before they send the request.
    const response = await fetch(`${server}/__/auth/challenge`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body: JSON.stringify(asked),
      signal,
    });
    if (!response.ok) throw new Error(`The server gave no challenge, but status ${response.status}.`);
    return (await response.json()) as Challenge;
  });
  return `alt2.${base64url(JSON.stringify({ c: challenge, s: await solve(challenge) }))}`;
}

interface Solution {
  readonly counter: number;
  readonly derivedKey: string;
  /** Time that the solution took, in ms. */
  readonly time: number;
}

async function solve({ parameters }: Challenge): Promise<Solution> {
  // Browsers offer cryptography only to pages that cannot be changed in transit.
  if (!isSecureContext) throw new Error('A challenge can be solved only at an address with https.');
  const startedAtMs = performance.now();
  let next = 0;
  let found: Solution | undefined;
  const search = async (): Promise<void> => {
    while (found === undefined) {
      const counter = next++;
      const derivedKey = await derive(parameters, counter);
      if (derivedKey.startsWith(parameters.keyPrefix))
        found ??= { counter, derivedKey, time: Math.round(performance.now() - startedAtMs) };
    }
  };
  const parallel = Math.min(navigator.hardwareConcurrency || 1, MAX_PARALLEL);
  await Promise.all(Array.from({ length: parallel }, search));
  if (found === undefined) throw new Error('Bug: the search ended without a solution.');
  return found;
}

async function derive(
  { cost, keyLength, nonce, salt }: Challenge['parameters'],
  counter: number,
): Promise<string> {
  const start = fromHex(nonce);
  const password = new Uint8Array(start.length + COUNTER_BYTES);
  password.set(start);
  new DataView(password.buffer).setUint32(start.length, counter);
  const key = await crypto.subtle.importKey('raw', password, 'PBKDF2', false, ['deriveBits']);
  const algorithm = { name: 'PBKDF2', hash: 'SHA-256', salt: fromHex(salt), iterations: cost };
  return toHex(new Uint8Array(await crypto.subtle.deriveBits(algorithm, key, keyLength * 8)));
}

function fromHex(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Encodes ASCII text. */
function base64url(text: string): string {
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
