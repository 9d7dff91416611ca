import { Secret, TOTP } from 'otpauth';
import type { MemberRole } from '../access/principal.ts';
import { nowMs } from '../platform/clock.ts';
import type { ServeOptions } from '../platform/serve-options.ts';
import { openServing, type Serving } from './serving.fixture.ts';

export const PASSWORD = 'correct-horse-battery';

/** A user who has signed in to a project. */
export interface SignedIn {
  readonly uid: string;
  readonly email: string;
  readonly idToken: string;
  /** The token that the console sends. */
  readonly memberToken: string;
}

/** Creates a project and returns its API key. */
export async function makeProject(serving: Serving, id: string): Promise<string> {
  const { json } = await serving.ask('/api/projects', { token: serving.token, body: { id } });
  return String(json['apiKey']);
}

/** Starts a server with the project `shop` and an owner. `make` creates more members of the project. */
export async function openShop(more: Partial<ServeOptions> = {}) {
  const serving = await openServing(undefined, more);
  const apiKey = await makeProject(serving, 'shop');
  const owner = await makeMember(serving, 'shop', apiKey, 'owner');
  const make = (role: MemberRole, name?: string) => makeMember(serving, 'shop', apiKey, role, name);
  return { serving, apiKey, owner, make };
}

/** Creates an account with a verified address, and signs in without a second factor. */
export async function signUp(
  serving: Serving,
  project: string,
  apiKey: string,
  name: string,
): Promise<SignedIn> {
  const email = `${name}@example.com`;
  const made = await serving.ask(`/v1/projects/${project}/accounts`, {
    token: serving.token,
    body: { email, password: PASSWORD, emailVerified: true },
  });
  const { json } = await serving.ask(`/v1/accounts:signInWithPassword?key=${apiKey}`, {
    body: { email, password: PASSWORD },
  });
  return signedIn(String(made.json['localId']), email, json['idToken']);
}

/** Creates an account that is a member and has signed in with a second factor. */
export async function makeMember(
  serving: Serving,
  project: string,
  apiKey: string,
  role: MemberRole,
  name: string = role,
): Promise<SignedIn> {
  const { uid, email, idToken } = await makeMemberWithoutSecondFactor(serving, project, apiKey, role, name);
  return signedIn(uid, email, await enroll(serving, apiKey, idToken));
}

/** Creates an account that is a member and has signed in without a second factor. */
export async function makeMemberWithoutSecondFactor(
  serving: Serving,
  project: string,
  apiKey: string,
  role: MemberRole,
  name: string,
): Promise<SignedIn> {
  const account = await signUp(serving, project, apiKey, name);
  const { uid, email } = account;
  await serving.ask(`/api/projects/${project}/members`, { token: serving.token, body: { email, role } });
  return signedIn(uid, email, await setPassword(serving, project, apiKey, account));
}

/** Sets an account's password as the server's administrator. Returns an ID token without a second factor. */
export async function setPassword(
  serving: Serving,
  project: string,
  apiKey: string,
  { uid, email }: Pick<SignedIn, 'uid' | 'email'>,
): Promise<string> {
  await serving.ask(`/v1/projects/${project}/accounts:update`, {
    token: serving.token,
    body: { localId: uid, password: PASSWORD },
  });
  const { json } = await serving.ask(`/v1/accounts:signInWithPassword?key=${apiKey}`, {
    body: { email, password: PASSWORD },
  });
  return String(json['idToken']);
}

/** Enrolls a second factor for an account. Returns an ID token of the session that starts with it. */
export async function enroll(serving: Serving, apiKey: string, idToken: string): Promise<string> {
  const post = (step: string, body: object) =>
    serving.ask(`/v2/accounts/mfaEnrollment:${step}?key=${apiKey}`, { body: { idToken, ...body } });
  const started = await post('start', { totpEnrollmentInfo: {} });
  const { sharedSecretKey, sessionInfo } = Object(started.json['totpSessionInfo']);
  const secret = Secret.fromBase32(String(sharedSecretKey));
  const verificationCode = TOTP.generate({ secret, timestamp: nowMs() });
  const finished = await post('finalize', { totpVerificationInfo: { sessionInfo, verificationCode } });
  return String(finished.json['idToken']);
}

function signedIn(uid: string, email: string, idToken: unknown): SignedIn {
  return { uid, email, idToken: String(idToken), memberToken: `member.${idToken}` };
}
