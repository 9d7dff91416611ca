import {
  type AuthenticationResponseJSON,
  browserSupportsWebAuthnAutofill,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  WebAuthnAbortService,
} from '@simplewebauthn/browser';
import type { Outcome, Server, SignInOutcome } from './server.ts';

/** Less than the time for which a challenge is valid, in ms. */
const RENEW_AFTER_MS = 240_000;
const START = '/v2/accounts/passkeySignIn:start';

/** Signs in with a passkey that the user chooses in a dialog of the browser. */
export async function signInWithPasskey(server: Server): Promise<SignInOutcome> {
  const options = await readOptions(server);
  if (options.kind === 'problem') return options;
  try {
    return await finish(server, await startAuthentication({ optionsJSON: options.value }));
  } catch {
    // The user closed the dialog, or there is no passkey. Browsers do not say which.
    return { kind: 'problem', problem: 'passkeyCancelled' };
  }
}

/**
 * Offers the passkeys in the suggestions of the address field until the user chooses one. Resolves to undefined if the
 * browser offers none, or after `signal` aborts.
 */
export async function signInBySuggestion(
  server: Server,
  signal: AbortSignal,
): Promise<SignInOutcome | undefined> {
  if (!(await browserSupportsWebAuthnAutofill())) return undefined;
  while (!signal.aborted) {
    const options = await readOptions(server);
    if (options.kind === 'problem' || signal.aborted) return undefined;
    const chosen = await waitForChoice(options.value, signal);
    if (chosen === 'ended') return undefined;
    if (chosen !== 'renew') return finish(server, chosen);
  }
  return undefined;
}

/** Waits until the user chooses a passkey. `renew`: the challenge becomes too old. */
async function waitForChoice(
  optionsJSON: PublicKeyCredentialRequestOptionsJSON,
  signal: AbortSignal,
): Promise<AuthenticationResponseJSON | 'renew' | 'ended'> {
  let isOld = false;
  const cancel = () => WebAuthnAbortService.cancelCeremony();
  const timer = setTimeout(() => {
    isOld = true;
    cancel();
  }, RENEW_AFTER_MS);
  signal.addEventListener('abort', cancel);
  try {
    return await startAuthentication({ optionsJSON, useBrowserAutofill: true });
  } catch {
    return isOld ? 'renew' : 'ended';
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', cancel);
  }
}

async function readOptions(server: Server): Promise<Outcome<PublicKeyCredentialRequestOptionsJSON>> {
  const outcome = await server.call(START, {});
  if (outcome.kind === 'problem') return outcome;
  return {
    kind: 'ok',
    value: outcome.value['credentialRequestOptions'] as PublicKeyCredentialRequestOptionsJSON,
  };
}

async function finish(
  server: Server,
  authenticatorAuthenticationResponse: AuthenticationResponseJSON,
): Promise<SignInOutcome> {
  const path = '/v2/accounts/passkeySignIn:finalize';
  return server.finishSignIn(await server.call(path, { authenticatorAuthenticationResponse }));
}
