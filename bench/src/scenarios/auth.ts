import { AuthClient } from '../client/http.ts';
import { importAccounts, PASSWORD, signInTimes, signUpSome } from '../load/accounts.ts';
import { RestLoad, type RestRequest } from '../load/rest.ts';
import { TemporaryDirectory } from '../measure/directory.ts';
import { MemoryWatch } from '../measure/process.ts';
import { median, percentile, readClockMs } from '../measure/time.ts';
import { AUTH_FLOOR, type ServerCommand } from '../server/command.ts';
import { LoadedServer, type Sample } from '../server/loaded-server.ts';
import { ServerProcess } from '../server/server-process.ts';
import type { Figure, ScenarioOptions } from './scenario.ts';
import { measureSignInCost } from './sign-in-cost.ts';

const CONNECTIONS = 64;
const MIB = 2 ** 20;
const FEW_ACCOUNTS = 1_000;

/**
 * Measures Auth requests, compared with those of a server that sends a constant response; the cost of sign-ins; and a
 * server with a million accounts.
 */
export async function measureAuth(options: ScenarioOptions): Promise<readonly Figure[]> {
  const routes = await measureRoutes(options);
  return [...routes, ...(await measureSignInCost(options)), ...(await measureMany(options))];
}

async function measureRoutes({ subject, quick, progress }: ScenarioOptions): Promise<readonly Figure[]> {
  const stretchMs = quick ? 300 : 2_000;
  const stretches = quick ? 2 : 5;
  const figures: Figure[] = [];
  await using hearth = await start(subject);
  await using floor = await start(AUTH_FLOOR);
  for (const name of ['lookup', 'refresh'] as const) {
    const request = await hearth.use(({ port }) => requestOf(name, new AuthClient(port)));
    await hearth.sample(({ load }) => load.run(request, stretchMs));
    await floor.sample(({ load }) => load.run(request, stretchMs));
    const samples: { readonly hearth: Sample; readonly floor: Sample }[] = [];
    for (let stretch = 0; stretch < stretches; stretch += 1)
      samples.push({
        hearth: await hearth.sample(({ load }) => load.run(request, stretchMs)),
        floor: await floor.sample(({ load }) => load.run(request, stretchMs)),
      });
    progress(`auth: ${name} ${Math.round(samples.at(-1)?.hearth.ratePerSecond ?? 0)}/s`);
    figures.push(
      {
        name: `responses to a ${name}`,
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

interface AuthLoad extends Disposable {
  readonly port: number;
  readonly load: RestLoad;
}

function start(command: ServerCommand): Promise<LoadedServer<AuthLoad>> {
  return LoadedServer.start(command, async (port) => {
    const load = await RestLoad.open(port, CONNECTIONS);
    return { port, load, [Symbol.dispose]: () => load[Symbol.dispose]() };
  });
}

/** Creates one user for each connection. Returns the request that each connection sends as its user. */
async function requestOf(name: 'lookup' | 'refresh', client: AuthClient): Promise<RestRequest> {
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

async function measureMany({ subject, quick, progress }: ScenarioOptions): Promise<readonly Figure[]> {
  const many = quick ? 5_000 : 1_000_000;
  using fewDirectory = new TemporaryDirectory();
  using manyDirectory = new TemporaryDirectory();
  await using fewServer = await ServerProcess.start(subject, fewDirectory.path);
  await using manyServer = await ServerProcess.start(subject, manyDirectory.path);
  const clients = [new AuthClient(fewServer.port), new AuthClient(manyServer.port)] as const;
  for (const client of clients) await signUpSome(client);
  await importAccounts(clients[0], FEW_ACCOUNTS);
  using watch = new MemoryWatch(manyServer.pid);
  const before = watch.readHighest();
  const startedMs = readClockMs();
  await importAccounts(clients[1], many, (done) => progress(`auth: ${done} accounts imported`));
  const importS = (readClockMs() - startedMs) / 1_000;
  const memoryBytes = watch.readHighest().residentBytes - before.residentBytes;
  const times = quick ? 20 : 400;
  // The two measurements alternate, so that other work of the machine affects both.
  const few: number[] = [];
  const manyTimes: number[] = [];
  for (let round = 0; round < 4; round += 1) {
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
      name: 'peak resident memory that the import adds',
      unit: 'MiB',
      value: memoryBytes / MIB,
      compared: undefined,
      target: { kind: 'below', bound: 256 },
    },
    {
      name: `p99 latency of a sign-in, compared with ${FEW_ACCOUNTS.toLocaleString('en')} accounts`,
      unit: 'ms',
      value: percentile(manyTimes, 0.99),
      compared: percentile(few, 0.99),
      target: { kind: 'ratioAtMost', bound: 1.2 },
    },
    {
      name: 'p99 latency of a search by email prefix',
      unit: 'ms',
      value: percentile(searches, 0.99),
      compared: undefined,
      target: { kind: 'below', bound: 20 },
    },
  ];
}

/** Returns the time of each search, in ms. Throws if a search finds too few accounts. */
async function searchTimes(client: AuthClient, accounts: number, count: number): Promise<readonly number[]> {
  const times: number[] = [];
  for (let n = 0; n < count; n += 1) {
    const emailPrefix = `user${Math.floor((accounts / count) * n)}`;
    const startedMs = readClockMs();
    const { userInfo } = await client.admin('query', { limit: 50, expression: [{ emailPrefix }] });
    times.push(readClockMs() - startedMs);
    if (!Array.isArray(userInfo) || userInfo.length === 0)
      throw new Error(`no email address begins with ${emailPrefix}`);
  }
  return times;
}
