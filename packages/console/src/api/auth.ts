import { hearthAuth } from '@hearth/client';
import { installCaptcha } from '@hearth/client/captcha';
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

/** The Auth SDK of a project, and the member's credential for requests to the server. */
export interface ProjectAuth {
  readonly projectId: string;
  readonly apiKey: string;
  readonly auth: Auth;
  readonly credential: Credential;
}

/** Prefix of a member's token; it distinguishes the console from the same user in an app. */
const MEMBER = 'member.';

/**
 * Opens the Auth SDK of a project and restores an earlier sign-in. Call it once per project: a second call rejects,
 * because an app of the SDK can have only one Auth. Rejects with an `ApiError`, with status 404 if the project does not
 * exist.
 */
export async function openProjectAuth(projectId: string): Promise<ProjectAuth> {
  const { apiKey } = await new Api(null).json<{ readonly apiKey: string }>(signInAddress(projectId));
  // The project may require a solved challenge for passwords, from its members too.
  installCaptcha(location.origin);
  // The name separates this sign-in from that of an app on the same origin.
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

/** The result of a correct password: the user is signed in, or must prove a second factor. */
export type AfterPassword =
  | { readonly kind: 'signed-in' }
  /** `prove` accepts a code of the authenticator app or a recovery code. It rejects with an error of the SDK. */
  | { readonly kind: 'second-factor'; prove(code: string): Promise<void> };

/** Signs in with email and password. Rejects with an error of the SDK. */
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

/** Sends a password reset email if the account exists. Rejects with an error of the SDK. */
export function sendPasswordMail(auth: Auth, email: string): Promise<void> {
  return sendPasswordResetEmail(auth, email);
}

/** An enrollment of an authenticator app that is not finished yet. */
export interface Enrollment {
  /** Base32, for users who type it into the app. */
  readonly key: string;
  /** Opens an authenticator app with the key. */
  readonly link: string;
  /** Adds the second factor if the code is correct. Rejects with an error of the SDK. */
  finish(code: string): Promise<void>;
}

/**
 * Starts the enrollment of an authenticator app. `issuer` is the name that the authenticator app shows. Rejects with an
 * error of the SDK.
 */
export async function startEnrollment(user: User, issuer: string): Promise<Enrollment> {
  const secret = await TotpMultiFactorGenerator.generateSecret(await multiFactor(user).getSession());
  return {
    key: secret.secretKey,
    link: secret.generateQrCodeUrl(user.email ?? user.uid, issuer),
    finish: (code) =>
      multiFactor(user).enroll(TotpMultiFactorGenerator.assertionForEnrollment(secret, code), issuer),
  };
}

/**
 * Creates ten recovery codes. Each replaces the second factor once. Earlier codes become invalid. Rejects with an
 * `ApiError` or an error of the SDK.
 */
export async function createRecoveryCodes({ auth, apiKey }: ProjectAuth): Promise<readonly string[]> {
  const idToken = await auth.currentUser?.getIdToken();
  const { recoveryCodes } = await new Api(null).json<{ readonly recoveryCodes: readonly string[] }>(
    '/v2/accounts/mfaRecoveryCodes:generate',
    { method: 'POST', query: { key: apiKey }, body: { idToken } },
  );
  return recoveryCodes;
}

/** Why a sign-in failed; one value for each remedy that the console can suggest. */
export type SignInProblem =
  | 'wrong'
  | 'wrong-code'
  | 'throttled'
  | 'disabled'
  | 'offline'
  | 'too-late'
  | 'not-allowed'
  | 'other';

/** Keys are error codes of the SDK. */
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

/** Returns the problem for an error of the SDK or of `Api`. */
export function signInProblemOf(error: unknown): SignInProblem {
  if (error instanceof ApiError) return error.status === 0 ? 'offline' : 'other';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return PROBLEMS[code] ?? 'other';
}
