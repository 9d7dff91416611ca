import type { Page } from 'playwright';
import { totpCode } from '../credentials.ts';
import type { ConsoleTestBed } from './test-bed.ts';

/** The parts of a test bed that `makeMember` uses. */
type AccountServer = Pick<ConsoleTestBed, 'server' | 'admin'>;

/** A user with an account of a project, and a member of the project if `makeMember` has received a role. */
export interface ConsoleMember {
  readonly uid: string;
  readonly email: string;
  readonly password: string;
  /** Secret of the second factor, in base32; `null` without one. */
  readonly secret: string | null;
}

const PASSWORD = 'a long password for the console';
const AUTH_API = '/identitytoolkit.googleapis.com/v1';

export interface MemberOptions {
  /** Without a role the account is not a member. */
  readonly role?: 'owner' | 'editor' | 'viewer';
  /** Whether a member has a second factor; `true` unless given. */
  readonly hasFactor?: boolean;
  /** An address that no other account uses; a new one unless given. */
  readonly email?: string;
}

/** Creates an account in a project of a server that runs `serve`. With a role, also makes the account a member. */
export async function makeMember(
  testBed: AccountServer,
  project: string,
  { role, hasFactor = true, email = `${crypto.randomUUID()}@example.com` }: MemberOptions,
): Promise<ConsoleMember> {
  const account = { email, password: PASSWORD, emailVerified: true };
  const made = await testBed.admin('POST', `${AUTH_API}/projects/${project}/accounts`, account);
  const uid = String(read(made, 'localId'));
  if (role !== undefined) {
    await testBed.admin('POST', `/api/projects/${project}/members`, { email, role });
    // Making an account a member invalidates its earlier credentials, unless its password was set by a mail.
    const update = { localId: uid, password: PASSWORD };
    await testBed.admin('POST', `${AUTH_API}/projects/${project}/accounts:update`, update);
  }
  const secret = hasFactor && role !== undefined ? await enroll(testBed, project, email) : null;
  return { uid, email, password: PASSWORD, secret };
}

/** Adds a second factor to an account as an app does, and returns the secret of the factor. */
async function enroll({ server }: AccountServer, project: string, email: string): Promise<string> {
  const { url } = server;
  const { apiKey } = await requestJson<{ apiKey: string }>(`${url}/api/projects/${project}/sign-in`);
  const { idToken } = await requestJson<{ idToken: string }>(
    `${url}${AUTH_API}/accounts:signInWithPassword?key=${apiKey}`,
    { email, password: PASSWORD, returnSecureToken: true },
  );
  const v2 = `${url}/identitytoolkit.googleapis.com/v2/accounts`;
  const { totpSessionInfo } = await requestJson<{
    totpSessionInfo: { sharedSecretKey: string; sessionInfo: string };
  }>(`${v2}/mfaEnrollment:start?key=${apiKey}`, { idToken, totpEnrollmentInfo: {} });
  const { sharedSecretKey, sessionInfo } = totpSessionInfo;
  const finish = async () =>
    requestJson(`${v2}/mfaEnrollment:finalize?key=${apiKey}`, {
      idToken,
      displayName: 'app',
      // Enrolls with the previous code, so that the current one can still be used to sign in.
      totpVerificationInfo: { verificationCode: await totpCode(sharedSecretKey, -1), sessionInfo },
    });
  // The server rejects the code if its step of 30 s has just ended; the second attempt then uses a newer code.
  await finish().catch(finish);
  return sharedSecretKey;
}

/**
 * Signs in a member with a second factor on the sign-in page of the console, with the code that is valid now or
 * `codesAhead` steps of 30 s later.
 */
export async function signInMember(
  page: Page,
  { email, password, secret }: ConsoleMember,
  codesAhead = 0,
): Promise<void> {
  // Types key by key, because in some browsers text that is inserted as a whole does not reach the page.
  await page.locator('input[autocomplete=username]').pressSequentially(email);
  await page.locator('input[autocomplete=current-password]').pressSequentially(password);
  await page.keyboard.press('Enter');
  const code = page.getByRole('textbox', { name: /^Code/ });
  await code.pressSequentially(await totpCode(secret ?? '', codesAhead));
  await code.press('Enter');
  await code.waitFor({ state: 'detached' });
}

async function requestJson<T>(url: string, body?: unknown): Promise<T> {
  const answer = await fetch(url, {
    ...(body === undefined
      ? {}
      : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}

function read(value: unknown, member: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, member) : undefined;
}
