import { Secret, TOTP } from 'otpauth';
import type { AuthAnswer, AuthClient } from '../api/auth-client.fixture.ts';

export const ANN = { email: 'ann@example.com', password: 'password' };

/** An authenticator app with a secret. The app uses the clock of the client's server. */
export class CodeApp {
  readonly #client: AuthClient;
  readonly #secret: Secret;

  constructor(client: AuthClient, sharedSecretKey: unknown) {
    this.#client = client;
    this.#secret = Secret.fromBase32(String(sharedSecretKey));
  }

  /** Returns the code of the step that is `steps` steps after the current one. */
  code(steps = 0): string {
    const timestamp = this.#client.clock.ms + steps * 30_000;
    return TOTP.generate({ secret: this.#secret, timestamp });
  }

  /** Returns a code that is not valid for any step near the current one. */
  wrongCode(): string {
    const near = new Set(Array.from({ length: 41 }, (_, index) => this.code(index - 20)));
    let code = 0;
    while (near.has(String(code).padStart(6, '0'))) code += 1;
    return String(code).padStart(6, '0');
  }
}

/** Ann, who has an account with an authenticator app. */
export interface Ann {
  readonly uid: string;
  readonly app: CodeApp;
  readonly enrollmentId: string;
  /** The tokens of the session that started with the enrollment. */
  readonly idToken: unknown;
  readonly refreshToken: unknown;
  /** The tokens of the session that enrolled the app. */
  readonly earlier: { readonly idToken: unknown; readonly refreshToken: unknown };
}

/** Creates an account with a verified address, and signs in. */
export async function openVerified(
  client: AuthClient,
  email: string = ANN.email,
): Promise<{ readonly uid: string; readonly idToken: unknown; readonly refreshToken: unknown }> {
  const { idToken, refreshToken, localId } = await client.signUp(email, ANN.password);
  await change(client, localId, { emailVerified: true });
  return { uid: String(localId), idToken, refreshToken };
}

/** Creates Ann's account and enrolls her app. Advances the clock by 30 s, so that the app shows another code. */
export async function openAnn(client: AuthClient): Promise<Ann> {
  const { uid, idToken, refreshToken } = await openVerified(client);
  const { app, answer } = await enrollApp(client, idToken);
  client.clock.ms += 30_000;
  return {
    uid,
    app,
    idToken: answer.json['idToken'],
    refreshToken: answer.json['refreshToken'],
    enrollmentId: String(factorsOf(await client.lookup(idToken))[0]?.['mfaEnrollmentId']),
    earlier: { idToken, refreshToken },
  };
}

/** Starts to enroll an app and finishes with the app's current code. */
export async function enrollApp(
  client: AuthClient,
  idToken: unknown,
  more: object = {},
): Promise<{ readonly app: CodeApp; readonly answer: AuthAnswer }> {
  const session = await startAppEnrollment(client, idToken);
  const app = new CodeApp(client, session['sharedSecretKey']);
  const answer = await client.post('/v2/accounts/mfaEnrollment:finalize', {
    idToken,
    totpVerificationInfo: { sessionInfo: session['sessionInfo'], verificationCode: app.code() },
    ...more,
  });
  return { app, answer };
}

export async function startAppEnrollment(
  client: AuthClient,
  idToken: unknown,
): Promise<Readonly<Record<string, unknown>>> {
  const { json } = await client.post('/v2/accounts/mfaEnrollment:start', {
    idToken,
    totpEnrollmentInfo: {},
  });
  return Object(json['totpSessionInfo']);
}

/** Signs in with the password. The response has the pending credential. */
export function signIn(client: AuthClient): Promise<AuthAnswer> {
  return client.post('accounts:signInWithPassword', ANN);
}

export async function pendingOf(client: AuthClient): Promise<unknown> {
  return (await signIn(client)).json['mfaPendingCredential'];
}

/** Finishes a sign-in with the second factor. */
export function finish(
  client: AuthClient,
  mfaPendingCredential: unknown,
  mfaEnrollmentId: string,
  verificationCode: string,
): Promise<AuthAnswer> {
  return client.post('/v2/accounts/mfaSignIn:finalize', {
    mfaPendingCredential,
    mfaEnrollmentId,
    totpVerificationInfo: { verificationCode },
  });
}

/** Changes an account as an administrator. */
export function change(client: AuthClient, localId: unknown, changes: object): Promise<AuthAnswer> {
  return client.admin('/v1/projects/demo/accounts:update', { localId, ...changes });
}

/** Returns the second factors of an account. */
export function factorsOf(
  user: Readonly<Record<string, unknown>>,
): readonly Readonly<Record<string, unknown>>[] {
  const info: unknown = user['mfaInfo'];
  return Array.isArray(info) ? info : [];
}
