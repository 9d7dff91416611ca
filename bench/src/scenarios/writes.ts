import { WriteLoad, type WriteLoadResult } from '../load/write-load.ts';
import { median } from '../measure/percentile.ts';
import { readCpuUs } from '../measure/process-usage.ts';
import { TemporaryDirectory } from '../measure/temporary-directory.ts';
import type { Figure } from '../report/figure.ts';
import { type ServerCommand, WRITE_FLOOR } from '../server/command.ts';
import { ServerProcess } from '../server/server-process.ts';
import type { ScenarioOptions } from './scenario.ts';

type Sample = { readonly ratePerSecond: number; readonly cpuUsPerWrite: number };

/** Durable pipelined writes: how many a second are acknowledged, and what each costs the server. */
export async function measureWrites({ subject, quick, note }: ScenarioOptions): Promise<readonly Figure[]> {
  const stretchMs = quick ? 500 : 3_000;
  const stretches = quick ? 2 : 5;
  await using hearth = await Measured.start(subject);
  await using floor = await Measured.start(WRITE_FLOOR);
  // Both are warm before anything counts.
  await hearth.sample(stretchMs);
  await floor.sample(stretchMs);
  const hearthSamples: Sample[] = [];
  const floorSamples: Sample[] = [];
  for (let stretch = 0; stretch < stretches; stretch += 1) {
    hearthSamples.push(await hearth.sample(stretchMs));
    floorSamples.push(await floor.sample(stretchMs));
    note(
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
      value: median(hearthSamples.map((sample) => sample.cpuUsPerWrite)),
      compared: median(floorSamples.map((sample) => sample.cpuUsPerWrite)),
      target: { kind: 'none' },
    },
  ];
}

class Measured {
  readonly #opened: AsyncDisposableStack;
  readonly #server: ServerProcess;
  readonly #load: WriteLoad;

  private constructor(opened: AsyncDisposableStack, server: ServerProcess, load: WriteLoad) {
    this.#opened = opened;
    this.#server = server;
    this.#load = load;
  }

  static async start(command: ServerCommand): Promise<Measured> {
    await using opened = new AsyncDisposableStack();
    const directory = opened.use(new TemporaryDirectory());
    const server = opened.use(await ServerProcess.start(command, directory.path));
    const load = opened.use(await WriteLoad.open(server.port, 'bench'));
    return new Measured(opened.move(), server, load);
  }

  async sample(durationMs: number): Promise<Sample> {
    const cpuBeforeUs = readCpuUs(this.#server.pid);
    const result: WriteLoadResult = await this.#load.run(durationMs);
    const cpuUs = readCpuUs(this.#server.pid) - cpuBeforeUs;
    return {
      ratePerSecond: (result.acknowledged / result.durationMs) * 1_000,
      cpuUsPerWrite: cpuUs / result.acknowledged,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#opened.disposeAsync();
  }
}
