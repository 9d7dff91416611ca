import { pause } from '../attack/tools.ts';
import { HttpClient } from '../network/http.ts';
import type { Target } from '../network/target.ts';
import type { AttackCounts, Tally } from './scenario.ts';

/** Hosts of users whom no attack may keep out, after those of the crowd. */
const FIRST_HOST = 236;
const HOSTS = 5;

/** Repeats a request of users of other networks, and counts the responses whose status is not the expected one. */
export async function watchUsers(
  target: Target,
  signal: AbortSignal,
  tally: Tally,
  status: number,
  act: (user: HttpClient, round: number) => Promise<number>,
): Promise<void> {
  const users = Array.from(
    { length: HOSTS },
    (_, index) => new HttpClient(target, { side: 'crowd', host: FIRST_HOST + index }),
  );
  await Promise.all(
    users.map(async (user, index) => {
      for (let round = index; !signal.aborted; round += HOSTS) {
        const got = await act(user, round);
        if (signal.aborted) return;
        tally.add(got === status ? 'users were served' : `a user was answered ${got}`);
        await pause(200, signal);
      }
    }),
  );
}

/** Checks that users were served at least five times, and that every response had the expected status. */
export function checkServed(counts: AttackCounts): readonly string[] {
  const others = Object.keys(counts).filter((name) => name.startsWith('a user was answered'));
  return [
    ...others.map((name) => `${name}, ${counts[name]} times.`),
    ...((counts['users were served'] ?? 0) >= 5 ? [] : ['Users were served too rarely.']),
  ];
}
