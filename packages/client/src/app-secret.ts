import { FirebaseError } from 'firebase/app';

const RANDOM_BYTES = 32;

/** Returns a text that cannot be guessed. */
export function randomText(): string {
  return base64url(crypto.getRandomValues(new Uint8Array(RANDOM_BYTES)));
}

/**
 * Returns the hash that proves a secret to the server without revealing it. Rejects in pages that are neither https nor
 * on localhost.
 */
export async function challengeOf(secret: string): Promise<string> {
  if (crypto.subtle === undefined)
    throw new FirebaseError(
      'auth/operation-not-supported-in-this-environment',
      'Open the app with https or on localhost: browsers offer no cryptography to other pages.',
    );
  return base64url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(secret))));
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

/** The fragment of an address, in two parts. */
export interface SplitFragment {
  /** The part that belongs to the app, with its `#`; empty if there is none. */
  readonly own: string;
  /** The answer of the server after it. */
  readonly answer: URLSearchParams | undefined;
}

/** Finds the answer of the server in a fragment, which begins with the parameter `name`. */
export function splitFragment(hash: string, name: string): SplitFragment {
  const start = hash.search(new RegExp(`[#&]${name}=`));
  if (start < 0) return { own: hash, answer: undefined };
  return { own: hash.slice(0, start), answer: new URLSearchParams(hash.slice(start + 1)) };
}

/** Removes the answer of the server from the address of the page. */
export function showOwnFragment({ own }: SplitFragment): void {
  history.replaceState(history.state, '', `${location.pathname}${location.search}${own}`);
}
