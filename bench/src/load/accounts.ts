import type { AuthClient } from '../client/http.ts';
import { readClockMs } from '../measure/time.ts';

const BATCH = 1_000;
/** Number of concurrent batches, as in an administrator's import program. */
const BATCHES_AT_ONCE = 2;
const LOG_EVERY = 100_000;

/** Parameters of Firebase's own hash algorithm. The hashes are fake, because no user signs in with them. */
const PARAMETERS = {
  hashAlgorithm: 'SCRYPT',
  signerKey: Buffer.alloc(64, 7).toString('base64url'),
  saltSeparator: 'Bw',
  rounds: 8,
  memoryCost: 14,
};

/** Imports accounts in batches, as `firebase auth:import` does. Throws if the server rejects an account. */
export async function importAccounts(
  client: AuthClient,
  count: number,
  onProgress: (done: number) => void = () => undefined,
): Promise<void> {
  let next = 0;
  const run = async (): Promise<void> => {
    while (next < count) {
      const first = next;
      next += BATCH;
      const users = Array.from({ length: Math.min(BATCH, count - first) }, (_, index) =>
        accountOf(first + index),
      );
      const { error } = await client.admin('batchCreate', { ...PARAMETERS, users });
      if (error !== undefined)
        throw new Error(`accounts were rejected: ${JSON.stringify(error).slice(0, 300)}`);
      if ((first + BATCH) % LOG_EVERY === 0) onProgress(first + BATCH);
    }
  };
  await Promise.all(Array.from({ length: BATCHES_AT_ONCE }, run));
}

function accountOf(number: number): Readonly<Record<string, unknown>> {
  const salt = Buffer.from(`salt${number}`);
  return {
    localId: `uid${number.toString().padStart(10, '0')}`,
    email: `user${number}@example.com`,
    emailVerified: number % 2 === 0,
    displayName: `User ${number}`,
    passwordHash: Buffer.alloc(64, number % 251).toString('base64url'),
    salt: salt.toString('base64url'),
    createdAt: '1700000000000',
  };
}

export const PASSWORD = 'correct horse';
/** Number of users who sign in during the measurement. */
const SIGNERS = 50;
const AT_ONCE = 8;

/** Creates the accounts of these users. */
export async function signUpSome(client: AuthClient): Promise<void> {
  for (let n = 0; n < SIGNERS; n += 1)
    await client.app('signUp', { email: `signer${n}@example.com`, password: PASSWORD });
}

/** Signs in `count` times, with eight concurrent sign-ins. */
export async function signInTogether(client: AuthClient, count: number): Promise<void> {
  await Promise.all(
    Array.from({ length: AT_ONCE }, (_, lane) => signInTimes(client, Math.ceil(count / AT_ONCE), lane)),
  );
}

/**
 * Returns the time of each of `count` successive sign-ins, in ms. Concurrent calls pass different lanes, so
 * that most of them sign in different users.
 */
export async function signInTimes(client: AuthClient, count: number, lane = 0): Promise<readonly number[]> {
  const times: number[] = [];
  for (let n = 0; n < count; n += 1) {
    const startedMs = readClockMs();
    await client.app('signInWithPassword', {
      email: `signer${(n * AT_ONCE + lane) % SIGNERS}@example.com`,
      password: PASSWORD,
    });
    times.push(readClockMs() - startedMs);
  }
  return times;
}
