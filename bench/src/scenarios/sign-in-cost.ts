import { availableParallelism } from 'node:os';
import type { AuthClient } from '../client/http.ts';
import { signInTimes, signInTogether, signUpSome } from '../load/accounts.ts';
import { HashProcess, readCpuUs } from '../measure/process.ts';
import { mean } from '../measure/time.ts';
import { ServingProject } from '../server/serving-project.ts';
import type { Figure, ScenarioOptions, Target } from './scenario.ts';

/** The number of hashes that Hearth computes concurrently. */
const HASHED_AT_ONCE = Math.min(availableParallelism(), 4);

/** The minimum of `--password-ms`. It results in hashes of 2 passes, except on a very fast machine. */
const LEAST_PASSWORD_MS = 10;

const TARGET: Target = { kind: 'ratioAtMost', bound: 1.1 };

/**
 * Compares the processor time of sign-ins with that of their hashes alone. Both run with the same concurrency,
 * because the cost depends on it. Uses the default password cost of `hearth serve` and the lowest one.
 */
export async function measureSignInCost({ quick, progress }: ScenarioOptions): Promise<readonly Figure[]> {
  const defaults = { together: new CostRatio(), oneByOne: new CostRatio() };
  const least = { together: new CostRatio(), oneByOne: new CostRatio() };
  const [pairs, rounds, count] = quick ? [1, 2, 16] : [5, 3, 48];
  const defaultPasses: number[] = [];
  for (let pair = 0; pair < pairs; pair += 1) {
    for (const [costs, passwordMs] of [
      [defaults, undefined],
      [least, LEAST_PASSWORD_MS],
    ] as const) {
      await using project = await ServingProject.start(passwordMs);
      const passes = await measurePair(project, costs, { rounds, count, warmUps: quick ? 8 : 600 });
      if (costs === defaults) defaultPasses.push(passes);
      const { together, oneByOne } = costs;
      progress(
        `auth: sign-ins and hashes of ${passes} passes: ${together.latest}; one by one: ${oneByOne.latest}`,
      );
    }
  }
  const name = 'processor time for a sign-in under load, compared with hashing its password';
  return [
    {
      name: 'passes of argon2id over 19 MiB that fit into 50 ms',
      unit: 'passes',
      value: mean(defaultPasses),
      compared: undefined,
      target: { kind: 'none' },
    },
    defaults.together.figure(name, TARGET),
    defaults.oneByOne.figure('the same, one sign-in at a time', TARGET),
    least.together.figure('the same with 2 passes, under load', { kind: 'none' }),
    least.oneByOne.figure('the same with 2 passes, one sign-in at a time', { kind: 'none' }),
  ];
}

interface Costs {
  readonly together: CostRatio;
  readonly oneByOne: CostRatio;
}

interface Amounts {
  readonly rounds: number;
  readonly count: number;
  readonly warmUps: number;
}

/**
 * Measures a server and a process that only hashes, and adds their costs to `costs`. Returns the number of passes of
 * the hashes.
 */
async function measurePair(
  { server, client }: ServingProject,
  costs: Costs,
  { rounds, count, warmUps }: Amounts,
): Promise<number> {
  using hashes = new HashProcess();
  await signUpSome(client);
  const passes = await readPasses(client);
  // Warms up both, until their code is compiled completely.
  await signInTogether(client, warmUps);
  await hashes.measure({ passes, count: 8, atOnce: HASHED_AT_ONCE });
  const measure = async (cost: CostRatio, signIn: () => Promise<unknown>, atOnce: number): Promise<void> => {
    const beforeUs = readCpuUs(server.pid);
    await signIn();
    const us = (readCpuUs(server.pid) - beforeUs) / count;
    cost.add(us, await hashes.measure({ passes, count, atOnce }));
  };
  // The two alternate, because the same hash takes longer while the machine does other work.
  for (let round = 0; round < rounds; round += 1) {
    await measure(costs.together, () => signInTogether(client, count), HASHED_AT_ONCE);
    await measure(costs.oneByOne, () => signInTimes(client, count), 1);
  }
  return passes;
}

/**
 * Reads the number of passes from the name of an account's hash parameters:
 * `argon2id-<KiB>-<passes>-<lanes>`.
 */
async function readPasses(client: AuthClient): Promise<number> {
  const { users } = await client.readAccounts(1);
  const [user] = Array.isArray(users) ? users : [];
  const passes = Number(/^argon2id-\d+-(\d+)-1$/.exec(String(user?.hashParametersId))?.[1]);
  if (!(passes > 0)) throw new Error(`an account has no hash parameters: ${JSON.stringify(user)}`);
  return passes;
}

/** The cost of sign-ins and the cost of their hashes alone, in µs. */
class CostRatio {
  readonly #costs: { readonly us: number; readonly floorUs: number }[] = [];

  add(us: number, floorUs: number): void {
    this.#costs.push({ us, floorUs });
  }

  get latest(): string {
    const { us, floorUs } = this.#costs.at(-1) ?? { us: 0, floorUs: 0 };
    return `${(us / 1_000).toFixed(1)} and ${(floorUs / 1_000).toFixed(1)} ms`;
  }

  /**
   * Returns the means of the rounds whose ratios are in the middle half, because other work of the machine
   * sometimes affects only one of the two costs.
   */
  figure(name: string, target: Target): Figure {
    const sorted = this.#costs.toSorted((one, other) => one.us / one.floorUs - other.us / other.floorUs);
    const quarter = Math.floor(sorted.length / 4);
    const middle = sorted.slice(quarter, sorted.length - quarter);
    return {
      name,
      unit: 'ms',
      value: mean(middle.map(({ us }) => us)) / 1_000,
      compared: mean(middle.map(({ floorUs }) => floorUs)) / 1_000,
      target,
    };
  }
}
