import {
  type Auth,
  getMultiFactorResolver,
  type MultiFactorError,
  type MultiFactorResolver,
  multiFactor,
  sendPasswordResetEmail,
  signInWithEmailAndPassword,
  TotpMultiFactorGenerator,
  type User,
} from 'firebase/auth';
import { Api } from './api.ts';
import type { ProjectAuth } from './project-auth.ts';

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
  if (totp === undefined)
    throw new Error('The account has only a second factor that the console does not know.');
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
