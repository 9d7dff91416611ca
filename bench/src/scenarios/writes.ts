import { WriteLoad } from '../load/writes.ts';
import { median } from '../measure/time.ts';
import { type ServerCommand, WRITE_FLOOR } from '../server/command.ts';
import { LoadedServer, type Sample } from '../server/loaded-server.ts';
import type { Figure, ScenarioOptions } from './scenario.ts';

/**
 * Measures durable pipelined writes: the acknowledged writes per second, and the cost of each for the server.
 */
export async function measureWrites({
  subject,
  quick,
  progress,
}: ScenarioOptions): Promise<readonly Figure[]> {
  const stretchMs = quick ? 500 : 3_000;
  const stretches = quick ? 2 : 5;
  await using hearth = await start(subject);
  await using floor = await start(WRITE_FLOOR);
  // The first pair only warms up both servers.
  await hearth.sample((load) => load.run(stretchMs));
  await floor.sample((load) => load.run(stretchMs));
  const hearthSamples: Sample[] = [];
  const floorSamples: Sample[] = [];
  for (let stretch = 0; stretch < stretches; stretch += 1) {
    hearthSamples.push(await hearth.sample((load) => load.run(stretchMs)));
    floorSamples.push(await floor.sample((load) => load.run(stretchMs)));
    progress(
      `writes: ${Math.round(hearthSamples.at(-1)?.ratePerSecond ?? 0)}/s, floor ${Math.round(floorSamples.at(-1)?.ratePerSecond ?? 0)}/s`,
    );
  }
  return [
    {
      name: 'acknowledged durable writes',
      unit: 'per second',
      value: median(hearthSamples.map((sample) => sample.ratePerSecond)),
      compared: median(floorSamples.map((sample) => sample.ratePerSecond)),
      target: { kind: 'ratioAtLeast', bound: 0.5 },
    },
    {
      name: 'server processor time for a write',
      unit: 'µs',
      value: median(hearthSamples.map((sample) => sample.cpuUs)),
      compared: median(floorSamples.map((sample) => sample.cpuUs)),
      target: { kind: 'none' },
    },
  ];
}

function start(command: ServerCommand): Promise<LoadedServer<WriteLoad>> {
  return LoadedServer.start(command, (port) => WriteLoad.open(port, 'bench'));
}
