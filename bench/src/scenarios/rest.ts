import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { Client } from '../client/client.ts';
import { loadChatMessages } from '../load/chat.ts';
import { RestLoad, type RestRequest } from '../load/rest.ts';
import { TemporaryDirectory } from '../measure/directory.ts';
import { MemoryWatch } from '../measure/process.ts';
import { median, readClockMs } from '../measure/time.ts';
import { REST_FLOOR, type ServerCommand, UNLOGGED_REST_FLOOR } from '../server/command.ts';
import { LoadedServer, type Sample } from '../server/loaded-server.ts';
import { ServerProcess } from '../server/server-process.ts';
import type { Figure, ScenarioOptions } from './scenario.ts';

const CONNECTIONS = 64;
const NAMESPACE = 'bench';
const VALUE = JSON.stringify('x'.repeat(1_022));
const MB = 1e6;
const MIB = 2 ** 20;

const PUT: RestRequest = { method: 'PUT', url: valueUrl, body: () => VALUE, answerBytes: VALUE.length };
const GET: RestRequest = { method: 'GET', url: valueUrl, body: () => '', answerBytes: VALUE.length };

/**
 * Measures REST requests for values of 1 KB, compared with a minimal server that does the same, and one
 * response of a hundred megabytes.
 */
export async function measureRest(options: ScenarioOptions): Promise<readonly Figure[]> {
  const small = await measureSmall(options);
  return [...small, ...(await measureLarge(options))];
}

async function measureSmall({ subject, quick, progress }: ScenarioOptions): Promise<readonly Figure[]> {
  const stretchMs = quick ? 300 : 2_000;
  const stretches = quick ? 2 : 5;
  await using hearth = await start(subject);
  await using floor = await start(REST_FLOOR);
  await using unlogged = await start(UNLOGGED_REST_FLOOR);
  const figures: Figure[] = [];
  // Writes come first, so that there are values to read.
  for (const request of [PUT, GET]) {
    await hearth.sample((load) => load.run(request, stretchMs));
    await floor.sample((load) => load.run(request, stretchMs));
    await unlogged.sample((load) => load.run(request, stretchMs));
    const samples: { readonly hearth: Sample; readonly floor: Sample; readonly unlogged: Sample }[] = [];
    for (let stretch = 0; stretch < stretches; stretch += 1)
      samples.push({
        hearth: await hearth.sample((load) => load.run(request, stretchMs)),
        floor: await floor.sample((load) => load.run(request, stretchMs)),
        unlogged: await unlogged.sample((load) => load.run(request, stretchMs)),
      });
    const last = samples.at(-1);
    progress(
      `rest: ${request.method} ${Math.round(last?.hearth.ratePerSecond ?? 0)}/s, floor ${Math.round(last?.floor.ratePerSecond ?? 0)}/s`,
    );
    const rate = {
      unit: 'per second',
      value: median(samples.map((sample) => sample.hearth.ratePerSecond)),
    };
    figures.push(
      {
        ...rate,
        name: `${request.method} of a value of 1 KB`,
        compared: median(samples.map((sample) => sample.floor.ratePerSecond)),
        target: { kind: 'ratioAtLeast', bound: 0.6 },
      },
      {
        ...rate,
        name: `${request.method}, compared with a server without a log`,
        compared: median(samples.map((sample) => sample.unlogged.ratePerSecond)),
        target: { kind: 'none' },
      },
      {
        name: `server processor time for a ${request.method}`,
        unit: 'µs',
        value: median(samples.map((sample) => sample.hearth.cpuUs)),
        compared: median(samples.map((sample) => sample.floor.cpuUs)),
        target: { kind: 'none' },
      },
    );
  }
  return figures;
}

function start(command: ServerCommand): Promise<LoadedServer<RestLoad>> {
  return LoadedServer.start(command, (port) => RestLoad.open(port, CONNECTIONS));
}

async function measureLarge({ subject, quick, progress }: ScenarioOptions): Promise<readonly Figure[]> {
  using directory = new TemporaryDirectory();
  await using server = await ServerProcess.start(subject, directory.path);
  using client = await Client.open(server.port, NAMESPACE);
  await loadChatMessages(client, '/large', quick ? 10_000 : 700_000);
  await readAll(server.port, '/large/none.json');
  using watch = new MemoryWatch(server.pid);
  const before = watch.readHighest();
  const rates: number[] = [];
  let bytes = 0;
  for (let round = 0; round < 3; round += 1) {
    const startedMs = readClockMs();
    bytes = await readAll(server.port, '/large.json');
    rates.push(bytes / MB / ((readClockMs() - startedMs) / 1_000));
  }
  progress(`rest: one response of ${(bytes / MB).toFixed(0)} MB`);
  const highest = watch.readHighest();
  return [
    {
      name: `one response of ${(bytes / MB).toFixed(0)} MB`,
      unit: 'MB per second',
      value: median(rates),
      compared: 100,
      target: { kind: 'ratioAtLeast', bound: 1 },
    },
    {
      name: 'peak resident memory that it adds',
      unit: 'MiB',
      value: (highest.residentBytes - before.residentBytes) / MIB,
      compared: undefined,
      target: { kind: 'below', bound: 64 },
    },
  ];
}

/**
 * Reads a response to its end. Returns its length in bytes. Throws if the response is rejected or interrupted.
 */
async function readAll(port: number, path: string): Promise<number> {
  const request = get({ port, host: '127.0.0.1', path: `${path}?ns=${NAMESPACE}` });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  let bytes = 0;
  for await (const chunk of response) bytes += (chunk as Buffer).length;
  if (response.statusCode !== 200) throw new Error(`the response to ${path} was ${response.statusCode}`);
  return bytes;
}

function valueUrl(connection: number): string {
  return `/values/${connection}.json?ns=${NAMESPACE}`;
}
