import {
  type AuthenticationResponseJSON,
  browserSupportsWebAuthn,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
} from '@simplewebauthn/browser';
import { FirebaseError } from 'firebase/app';
import { type Auth, signInWithCustomToken, type User, type UserCredential } from 'firebase/auth';
import { callAuthApi, type Json } from './requests.ts';

/** A passkey of an account. */
export interface PasskeyInfo {
  readonly credentialId: string;
  readonly name: string;
  readonly createdAt: string;
  /** Absent if the user has never signed in with the passkey. */
  readonly lastUsedAt?: string;
  /** Whether the passkey is copied to other devices of the user. */
  readonly backedUp: boolean;
}

/** Returns whether the browser has passkeys. */
export function supportsPasskeys(): boolean {
  return browserSupportsWebAuthn();
}

const ENROLLMENT = '/v2/accounts/passkeyEnrollment';
const SIGN_IN = '/v2/accounts/passkeySignIn';
/** Less than the time for which a challenge is valid, in ms. */
const RENEW_AFTER_MS = 240_000;

/**
 * Creates a passkey for the signed-in user, who must have signed in within the last five minutes. Resolves when the
 * user of the Auth has a session that began with the passkey.
 */
export async function enrollPasskey(
  auth: Auth,
  user: User,
  { name }: { readonly name?: string } = {},
): Promise<UserCredential> {
  return enroll(auth, { idToken: await user.getIdToken() }, name);
}

/** Creates an account whose only sign-in method is a new passkey, and signs in. */
export function signUpWithPasskey(
  auth: Auth,
  { displayName, name }: { readonly displayName?: string; readonly name?: string } = {},
): Promise<UserCredential> {
  return enroll(auth, { signUp: true, ...(displayName === undefined ? {} : { displayName }) }, name);
}

async function enroll(auth: Auth, body: Json, name: string | undefined): Promise<UserCredential> {
  const { credentialCreationOptions } = await callAuthApi(auth, `${ENROLLMENT}:start`, body);
  const authenticatorRegistrationResponse = await startRegistration({
    optionsJSON: credentialCreationOptions as PublicKeyCredentialCreationOptionsJSON,
  });
  const answer = await callAuthApi(auth, `${ENROLLMENT}:finalize`, {
    ...body,
    authenticatorRegistrationResponse,
    ...(name === undefined ? {} : { name }),
  });
  return continueSession(auth, answer);
}

/** Gives the SDK the session of an answer. Throws `auth/multi-factor-auth-required` if the answer has none. */
function continueSession(auth: Auth, answer: Json): Promise<UserCredential> {
  const { customToken, mfaPendingCredential, mfaInfo } = answer;
  if (typeof customToken === 'string') return signInWithCustomToken(auth, customToken);
  throw new FirebaseError('auth/multi-factor-auth-required', 'The account needs a second factor.', {
    mfaPendingCredential,
    mfaInfo,
  });
}

/**
 * Signs in with a passkey that the user chooses. With `autofill`, the browser offers the passkeys in the suggestions of
 * an input with `autocomplete="username webauthn"`, which must be in the page; the promise stays pending until the user
 * chooses one, and rejects when `signal` aborts.
 */
export async function signInWithPasskey(
  auth: Auth,
  { autofill = false, signal }: { readonly autofill?: boolean; readonly signal?: AbortSignal } = {},
): Promise<UserCredential> {
  const authenticatorAuthenticationResponse = autofill
    ? await waitForAutofill(auth, signal)
    : await startAuthentication({ optionsJSON: await requestOptions(auth) });
  return continueSession(
    auth,
    await callAuthApi(auth, `${SIGN_IN}:finalize`, { authenticatorAuthenticationResponse }),
  );
}

async function requestOptions(auth: Auth): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { credentialRequestOptions } = await callAuthApi(auth, `${SIGN_IN}:start`, {});
  return credentialRequestOptions as PublicKeyCredentialRequestOptionsJSON;
}

/** Offers the passkeys in suggestions until the user chooses one, each time with a challenge that is still valid. */
async function waitForAutofill(
  auth: Auth,
  signal: AbortSignal | undefined,
): Promise<AuthenticationResponseJSON> {
  for (;;) {
    signal?.throwIfAborted();
    const optionsJSON = await requestOptions(auth);
    signal?.throwIfAborted();
    let isRenewed = false;
    const renew = setTimeout(() => {
      isRenewed = true;
      WebAuthnAbortService.cancelCeremony();
    }, RENEW_AFTER_MS);
    const abort = () => WebAuthnAbortService.cancelCeremony();
    signal?.addEventListener('abort', abort);
    try {
      return await startAuthentication({ optionsJSON, useBrowserAutofill: true });
    } catch (error) {
      if (!isRenewed) throw error;
    } finally {
      clearTimeout(renew);
      signal?.removeEventListener('abort', abort);
    }
  }
}

/** Returns the passkeys of the signed-in user. */
export async function listPasskeys(auth: Auth, user: User): Promise<readonly PasskeyInfo[]> {
  const { users } = await callAuthApi(auth, '/v1/accounts:lookup', { idToken: await user.getIdToken() });
  const [account]: readonly unknown[] = Array.isArray(users) ? users : [];
  const { passkeyInfo = [] }: { readonly passkeyInfo?: readonly PasskeyInfo[] } = Object(account);
  return passkeyInfo;
}

/**
 * Removes a passkey of the signed-in user, who must have signed in within the last five minutes. Where the browser can,
 * it forgets the passkey too.
 */
export async function removePasskey(auth: Auth, user: User, credentialId: string): Promise<void> {
  const answer = await callAuthApi(auth, '/v1/accounts:update', {
    idToken: await user.getIdToken(),
    deletePasskey: [credentialId],
  });
  // The session of the user began with the passkey, and has ended.
  const current =
    typeof answer['customToken'] === 'string' ? (await continueSession(auth, answer)).user : user;
  await forgetRemoved(auth, current);
}

interface SignalingCredentials {
  signalAllAcceptedCredentials?(accepted: {
    readonly rpId: string;
    readonly userId: string;
    readonly allAcceptedCredentialIds: readonly string[];
  }): Promise<void>;
}

/** Tells the password manager which passkeys the account has left. This is a courtesy, so failures are ignored. */
async function forgetRemoved(auth: Auth, user: User): Promise<void> {
  const credentials: SignalingCredentials = globalThis.PublicKeyCredential ?? {};
  if (credentials.signalAllAcceptedCredentials === undefined) return;
  try {
    const idToken = await user.getIdToken();
    const answer = await callAuthApi(auth, `${ENROLLMENT}:start`, { idToken });
    const options = answer['credentialCreationOptions'] as PublicKeyCredentialCreationOptionsJSON;
    await credentials.signalAllAcceptedCredentials({
      rpId: options.rp.id ?? '',
      userId: options.user.id,
      allAcceptedCredentialIds: (options.excludeCredentials ?? []).map(({ id }) => id),
    });
  } catch {
    // The passkey is removed from the account in any case.
  }
}
