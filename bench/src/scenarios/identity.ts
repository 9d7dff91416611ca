import { availableParallelism } from 'node:os';
import { IdentityClient } from '../client/identity-client.ts';
import { importAccounts } from '../load/account-import.ts';
import { RestLoad, type RestRequest } from '../load/rest-load.ts';
import { readClockMs } from '../measure/clock.ts';
import { HashProcess } from '../measure/hash-process.ts';
import { MemoryWatch } from '../measure/memory-watch.ts';
import { mean, median, percentile } from '../measure/percentile.ts';
import { readCpuUs } from '../measure/process-usage.ts';
import { TemporaryDirectory } from '../measure/temporary-directory.ts';
import type { Figure, Target } from '../report/figure.ts';
import { IDENTITY_FLOOR, type ServerCommand } from '../server/command.ts';
import { LoadedServer, type Sample } from '../server/loaded-server.ts';
import { ServerProcess } from '../server/server-process.ts';
import type { ScenarioOptions } from './scenario.ts';

const CONNECTIONS = 64;
const MIB = 2 ** 20;
const PASSWORD = 'correct horse';
const FEW_ACCOUNTS = 1_000;
/** People who sign in while that is measured. */
const SIGNERS = 50;
const SIGNED_IN_AT_ONCE = 8;
/** As many as Hearth hashes. */
const HASHED_AT_ONCE = Math.min(availableParallelism(), 4);

/** Requests of identity, beside a server that answers them from a constant; and a million accounts. */
export async function measureIdentity(options: ScenarioOptions): Promise<readonly Figure[]> {
  const routes = await measureRoutes(options);
  return [...routes, ...(await measureSignIns(options)), ...(await measureMany(options))];
}

async function measureRoutes({ subject, quick, note }: ScenarioOptions): Promise<readonly Figure[]> {
  const stretchMs = quick ? 300 : 2_000;
  const stretches = quick ? 2 : 5;
  const figures: Figure[] = [];
  await using hearth = await start(subject);
  await using floor = await start(IDENTITY_FLOOR);
  for (const name of ['lookup', 'refresh'] as const) {
    const request = await hearth.use(({ port }) => requestOf(name, new IdentityClient(port)));
    await hearth.sample(({ load }) => load.run(request, stretchMs));
    await floor.sample(({ load }) => load.run(request, stretchMs));
    const samples: { readonly hearth: Sample; readonly floor: Sample }[] = [];
    for (let stretch = 0; stretch < stretches; stretch += 1)
      samples.push({
        hearth: await hearth.sample(({ load }) => load.run(request, stretchMs)),
        floor: await floor.sample(({ load }) => load.run(request, stretchMs)),
      });
    note(`identity: ${name} ${Math.round(samples.at(-1)?.hearth.ratePerSecond ?? 0)}/s`);
    figures.push(
      {
        name: `answers to a ${name}`,
        unit: 'per second',
        value: median(samples.map((sample) => sample.hearth.ratePerSecond)),
        compared: median(samples.map((sample) => sample.floor.ratePerSecond)),
        target: { kind: 'ratioAtLeast', bound: 0.5 },
      },
      {
        name: `server processor time for a ${name}`,
        unit: 'µs',
        value: median(samples.map((sample) => sample.hearth.cpuUs)),
        compared: median(samples.map((sample) => sample.floor.cpuUs)),
        target: { kind: 'none' },
      },
    );
  }
  return figures;
}

interface IdentityLoad extends Disposable {
  readonly port: number;
  readonly load: RestLoad;
}

function start(command: ServerCommand): Promise<LoadedServer<IdentityLoad>> {
  return LoadedServer.start(command, async (port) => {
    const load = await RestLoad.open(port, CONNECTIONS);
    return { port, load, [Symbol.dispose]: () => load[Symbol.dispose]() };
  });
}

/** Each connection is one person. */
async function requestOf(name: 'lookup' | 'refresh', client: IdentityClient): Promise<RestRequest> {
  const people = await Promise.all(
    Array.from({ length: CONNECTIONS }, (_, number) =>
      client.app('signUp', { email: `${name}${number}@example.com`, password: PASSWORD }),
    ),
  );
  const bodies = people.map(({ idToken, refreshToken }) =>
    JSON.stringify(name === 'lookup' ? { idToken } : { grantType: 'refresh_token', refreshToken }),
  );
  const path = name === 'lookup' ? '/v1/accounts:lookup' : '/v1/token';
  return { method: 'POST', url: () => `${path}?key=bench`, body: (connection) => bodies[connection] ?? '' };
}

/** Sign-ins beside hashes, both as many at once: what one costs beyond its hash differs by how much is done together. */
async function measureSignIns({ subject, quick, note }: ScenarioOptions): Promise<readonly Figure[]> {
  const [pairs, rounds, count] = quick ? [1, 2, 16] : [5, 3, 48];
  const costs = { together: new CostRatio(), oneByOne: new CostRatio() };
  for (let pair = 0; pair < pairs; pair += 1) {
    using directory = new TemporaryDirectory();
    await using server = await ServerProcess.start(subject, directory.path);
    using hashes = new HashProcess();
    const client = new IdentityClient(server.port);
    await signUpSome(client);
    // Until what is run for each is compiled as well as it will be.
    await signInTogether(client, quick ? 8 : 600);
    await hashes.measure({ count: 8, atOnce: HASHED_AT_ONCE });
    const measure = async (
      cost: CostRatio,
      signIn: () => Promise<unknown>,
      atOnce: number,
    ): Promise<void> => {
      const beforeUs = readCpuUs(server.pid);
      await signIn();
      cost.add((readCpuUs(server.pid) - beforeUs) / count, await hashes.measure({ count, atOnce }));
    };
    // In turns, because the same hash takes longer when the machine has other things to do.
    for (let round = 0; round < rounds; round += 1) {
      await measure(costs.together, () => signInTogether(client, count), HASHED_AT_ONCE);
      await measure(costs.oneByOne, () => signInTimes(client, count), 1);
    }
    note(`identity: sign-ins and hashes: ${costs.together.latest}; one by one: ${costs.oneByOne.latest}`);
  }
  return [
    costs.together.figure('processor time for a sign-in under load, compared with hashing its password', {
      kind: 'ratioAtMost',
      bound: 1.1,
    }),
    costs.oneByOne.figure('the same, of sign-ins one by one', { kind: 'none' }),
  ];
}

/** What something cost beside what it was made of, in µs. */
class CostRatio {
  readonly #costs: { readonly us: number; readonly floorUs: number }[] = [];

  add(us: number, floorUs: number): void {
    this.#costs.push({ us, floorUs });
  }

  get latest(): string {
    const { us, floorUs } = this.#costs.at(-1) ?? { us: 0, floorUs: 0 };
    return `${(us / 1_000).toFixed(1)} and ${(floorUs / 1_000).toFixed(1)} ms`;
  }

  figure(name: string, target: Target): Figure {
    return {
      name,
      unit: 'ms',
      value: mean(this.#costs.map(({ us }) => us)) / 1_000,
      compared: mean(this.#costs.map(({ floorUs }) => floorUs)) / 1_000,
      target,
    };
  }
}

async function measureMany({ subject, quick, note }: ScenarioOptions): Promise<readonly Figure[]> {
  const many = quick ? 5_000 : 1_000_000;
  using fewDirectory = new TemporaryDirectory();
  using manyDirectory = new TemporaryDirectory();
  await using fewServer = await ServerProcess.start(subject, fewDirectory.path);
  await using manyServer = await ServerProcess.start(subject, manyDirectory.path);
  const clients = [new IdentityClient(fewServer.port), new IdentityClient(manyServer.port)] as const;
  for (const client of clients) await signUpSome(client);
  await importAccounts(clients[0], FEW_ACCOUNTS);
  using watch = new MemoryWatch(manyServer.pid);
  const before = watch.readHighest();
  const startedMs = readClockMs();
  await importAccounts(clients[1], many, (done) => note(`identity: ${done} accounts imported`));
  const importS = (readClockMs() - startedMs) / 1_000;
  const memoryBytes = watch.readHighest().residentBytes - before.residentBytes;
  const times = quick ? 20 : 400;
  // In turns, so that what else the machine does meets both.
  const few: number[] = [];
  const manyTimes: number[] = [];
  for (let turn = 0; turn < 4; turn += 1) {
    few.push(...(await signInTimes(clients[0], times / 4)));
    manyTimes.push(...(await signInTimes(clients[1], times / 4)));
  }
  const searches = await searchTimes(clients[1], many, quick ? 20 : 200);
  return [
    {
      name: `importing ${many.toLocaleString('en')} accounts`,
      unit: 's',
      value: importS,
      compared: undefined,
      target: { kind: 'below', bound: 600 },
    },
    {
      name: 'resident memory that it adds, highest',
      unit: 'MiB',
      value: memoryBytes / MIB,
      compared: undefined,
      target: { kind: 'below', bound: 256 },
    },
    {
      name: `99th percentile of a sign-in, compared with ${FEW_ACCOUNTS.toLocaleString('en')} accounts`,
      unit: 'ms',
      value: percentile(manyTimes, 0.99),
      compared: percentile(few, 0.99),
      target: { kind: 'ratioAtMost', bound: 1.2 },
    },
    {
      name: '99th percentile of a search by the beginning of an address',
      unit: 'ms',
      value: percentile(searches, 0.99),
      compared: undefined,
      target: { kind: 'below', bound: 20 },
    },
  ];
}

async function signUpSome(client: IdentityClient): Promise<void> {
  for (let n = 0; n < SIGNERS; n += 1)
    await client.app('signUp', { email: `signer${n}@example.com`, password: PASSWORD });
}

/** So many sign-ins, of which some are under way at once. */
async function signInTogether(client: IdentityClient, count: number): Promise<void> {
  await Promise.all(
    Array.from({ length: SIGNED_IN_AT_ONCE }, (_, place) =>
      signInTimes(client, Math.ceil(count / SIGNED_IN_AT_ONCE), place),
    ),
  );
}

/** How long each of so many sign-ins takes, one after another, in ms; of different people for each `place`. */
async function signInTimes(client: IdentityClient, count: number, place = 0): Promise<readonly number[]> {
  const times: number[] = [];
  for (let n = 0; n < count; n += 1) {
    const startedMs = readClockMs();
    await client.app('signInWithPassword', {
      email: `signer${(n * SIGNED_IN_AT_ONCE + place) % SIGNERS}@example.com`,
      password: PASSWORD,
    });
    times.push(readClockMs() - startedMs);
  }
  return times;
}

/** How long each of so many searches takes, in ms. Throws when one finds too little. */
async function searchTimes(
  client: IdentityClient,
  accounts: number,
  count: number,
): Promise<readonly number[]> {
  const times: number[] = [];
  for (let n = 0; n < count; n += 1) {
    const emailPrefix = `user${Math.floor((accounts / count) * n)}`;
    const startedMs = readClockMs();
    const { userInfo } = await client.admin('query', { limit: 50, expression: [{ emailPrefix }] });
    times.push(readClockMs() - startedMs);
    if (!Array.isArray(userInfo) || userInfo.length === 0)
      throw new Error(`nobody begins with ${emailPrefix}`);
  }
  return times;
}
