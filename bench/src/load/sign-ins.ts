import type { IdentityClient } from '../client/identity-client.ts';
import { readClockMs } from '../measure/clock.ts';

export const PASSWORD = 'correct horse';
/** People who sign in while that is measured. */
const SIGNERS = 50;
const AT_ONCE = 8;

export async function signUpSome(client: IdentityClient): Promise<void> {
  for (let n = 0; n < SIGNERS; n += 1)
    await client.app('signUp', { email: `signer${n}@example.com`, password: PASSWORD });
}

/** So many sign-ins, of which eight are under way at once. */
export async function signInTogether(client: IdentityClient, count: number): Promise<void> {
  await Promise.all(
    Array.from({ length: AT_ONCE }, (_, place) => signInTimes(client, Math.ceil(count / AT_ONCE), place)),
  );
}

/** How long each of so many sign-ins takes, one after another, in ms; of different people for each `place`. */
export async function signInTimes(
  client: IdentityClient,
  count: number,
  place = 0,
): Promise<readonly number[]> {
  const times: number[] = [];
  for (let n = 0; n < count; n += 1) {
    const startedMs = readClockMs();
    await client.app('signInWithPassword', {
      email: `signer${(n * AT_ONCE + place) % SIGNERS}@example.com`,
      password: PASSWORD,
    });
    times.push(readClockMs() - startedMs);
  }
  return times;
}
