import { SDK_VERSION } from 'firebase/app';

/** The error of an SDK in which something has moved that this package leans on. `what` continues the sentence. */
export function unsupportedSdk(what: string): Error {
  return new Error(
    `@hearth/client cannot point firebase ${SDK_VERSION} at a Hearth server: ${what}. Install a version of firebase that @hearth/client supports, or a newer @hearth/client.`,
  );
}
