import { hearthAuth } from '@hearth/client';
import { initializeApp } from 'firebase/app';
import {
  type Auth,
  getMultiFactorResolver,
  type MultiFactorError,
  type MultiFactorResolver,
  multiFactor,
  onIdTokenChanged,
  sendPasswordResetEmail,
  signInWithEmailAndPassword,
  TotpMultiFactorGenerator,
  type User,
} from 'firebase/auth';
import { Api, ApiError } from './client.ts';
import { type Credential, signInAddress } from './session.ts';

/** Accounts of a project as the official SDK knows them, and what says to the server who of them is at the console. */
export interface ProjectAuth {
  readonly projectId: string;
  readonly apiKey: string;
  readonly auth: Auth;
  readonly credential: Credential;
}

/** Tells a member at the console from the same person in the app. */
const MEMBER = 'member.';

/**
 * Opens the accounts of a project, whoever signed in before being there again. Once for each project, as the SDK wants.
 * Rejects with an `ApiError`: 404 for a project that is not there.
 */
export async function openProjectAuth(projectId: string): Promise<ProjectAuth> {
  const { apiKey } = await new Api(null).json<{ readonly apiKey: string }>(signInAddress(projectId));
  // The name keeps this sign-in apart from one of an app of the same origin.
  const app = initializeApp({ apiKey, projectId }, `hearth-console-${projectId}`);
  const auth = hearthAuth(app, location.origin);
  await auth.authStateReady();
  return { projectId, apiKey, auth, credential: credentialOf(auth) };
}

function credentialOf(auth: Auth): Credential {
  return {
    async token() {
      if (auth.currentUser === null) throw new ApiError(401, 'You are signed out. Sign in again.');
      return `${MEMBER}${await auth.currentUser.getIdToken()}`;
    },
    onChange: (notify) => onIdTokenChanged(auth, notify),
  };
}

/** What follows a right password. */
export type AfterPassword =
  | { readonly kind: 'signed-in' }
  /** `prove` takes a code of the app, or a recovery code. */
  | { readonly kind: 'second-factor'; prove(code: string): Promise<void> };

/** Rejects with an error of the SDK. */
export async function signInByPassword(auth: Auth, email: string, password: string): Promise<AfterPassword> {
  try {
    await signInWithEmailAndPassword(auth, email, password);
    return { kind: 'signed-in' };
  } catch (error) {
    if (!isMultiFactorError(error)) throw error;
    const resolver = getMultiFactorResolver(auth, error);
    return { kind: 'second-factor', prove: (code) => proveFactor(resolver, code) };
  }
}

function isMultiFactorError(error: unknown): error is MultiFactorError {
  return error instanceof Error && 'code' in error && error.code === 'auth/multi-factor-auth-required';
}

async function proveFactor(resolver: MultiFactorResolver, code: string): Promise<void> {
  const totp = resolver.hints.find(({ factorId }) => factorId === TotpMultiFactorGenerator.FACTOR_ID);
  if (totp === undefined) throw new Error('The console does not support the second factor of this account.');
  await resolver.resolveSignIn(TotpMultiFactorGenerator.assertionForSignIn(totp.uid, code));
}

/** Has a mail sent with a link to choose a password, if there is such an account. Rejects with an error of the SDK. */
export function sendPasswordMail(auth: Auth, email: string): Promise<void> {
  return sendPasswordResetEmail(auth, email);
}

/** A second factor that is about to be added. */
export interface Enrolment {
  /** In base32, for whoever types it into an app. */
  readonly key: string;
  /** Opens an app that makes codes, with the key in it. */
  readonly link: string;
  /** Adds it, for a code that it makes. Rejects with an error of the SDK. */
  finish(code: string): Promise<void>;
}

/** Rejects with an error of the SDK. `issuer` is what the app that makes codes will call it. */
export async function startEnrolment(user: User, issuer: string): Promise<Enrolment> {
  const secret = await TotpMultiFactorGenerator.generateSecret(await multiFactor(user).getSession());
  return {
    key: secret.secretKey,
    link: secret.generateQrCodeUrl(user.email ?? user.uid, issuer),
    finish: (code) =>
      multiFactor(user).enroll(TotpMultiFactorGenerator.assertionForEnrollment(secret, code), issuer),
  };
}

/** Ten codes, each of which stands in for the second factor once, in place of those from before. Rejects with an `ApiError`. */
export async function makeRecoveryCodes({ auth, apiKey }: ProjectAuth): Promise<readonly string[]> {
  const idToken = await auth.currentUser?.getIdToken();
  const { recoveryCodes } = await new Api(null).json<{ readonly recoveryCodes: readonly string[] }>(
    '/v2/accounts/mfaRecoveryCodes:generate',
    { method: 'POST', query: { key: apiKey }, body: { idToken } },
  );
  return recoveryCodes;
}

/** Why somebody could not sign in, as far as it makes a difference to what they can do about it. */
export type SignInProblem =
  | 'wrong'
  | 'wrong-code'
  | 'throttled'
  | 'disabled'
  | 'offline'
  | 'too-late'
  | 'not-allowed'
  | 'other';

/** By the codes of the SDK. */
const PROBLEMS: Readonly<Record<string, SignInProblem>> = {
  'auth/invalid-credential': 'wrong',
  'auth/invalid-email': 'wrong',
  'auth/user-not-found': 'wrong',
  'auth/wrong-password': 'wrong',
  'auth/invalid-verification-code': 'wrong-code',
  'auth/missing-verification-code': 'wrong-code',
  'auth/missing-code': 'wrong-code',
  'auth/too-many-requests': 'throttled',
  'auth/user-disabled': 'disabled',
  'auth/network-request-failed': 'offline',
  'auth/code-expired': 'too-late',
  'auth/invalid-multi-factor-session': 'too-late',
  'auth/totp-challenge-timeout': 'too-late',
  'auth/requires-recent-login': 'too-late',
  'auth/user-token-expired': 'too-late',
  'auth/operation-not-allowed': 'not-allowed',
};

export function signInProblemOf(error: unknown): SignInProblem {
  if (error instanceof ApiError) return error.status === 0 ? 'offline' : 'other';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return PROBLEMS[code] ?? 'other';
}
