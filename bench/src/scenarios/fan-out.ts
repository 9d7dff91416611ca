import { FanOutLoad } from '../load/fan-out.ts';
import { TemporaryDirectory } from '../measure/directory.ts';
import { readCpuUs } from '../measure/process.ts';
import { median } from '../measure/time.ts';
import { FAN_OUT_FLOOR } from '../server/command.ts';
import { ServerProcess } from '../server/server-process.ts';
import type { Figure, ScenarioOptions } from './scenario.ts';

const BURST_SIZES = [1, 8, 16] as const;

/**
 * Measures the processor time that the server needs to deliver one event to one of many listeners, for single
 * writes and for bursts.
 */
export async function measureFanOut({
  subject,
  quick,
  progress,
}: ScenarioOptions): Promise<readonly Figure[]> {
  const listeners = quick ? 100 : 500;
  const events = quick ? 240 : 1_600;
  const stretches = quick ? 2 : 5;
  using hearthDirectory = new TemporaryDirectory();
  using floorDirectory = new TemporaryDirectory();
  await using hearth = await ServerProcess.start(subject, hearthDirectory.path);
  await using floor = await ServerProcess.start(FAN_OUT_FLOOR, floorDirectory.path);
  using hearthLoad = await FanOutLoad.open(hearth.port, 'bench', listeners);
  using floorLoad = await FanOutLoad.open(floor.port, 'bench', listeners);
  const sample = async (server: ServerProcess, load: FanOutLoad, burst: number): Promise<number> => {
    const beforeUs = readCpuUs(server.pid);
    await load.run(Math.ceil(events / burst), burst);
    return (readCpuUs(server.pid) - beforeUs) / (Math.ceil(events / burst) * burst * listeners);
  };
  const figures: Figure[] = [];
  for (const burst of BURST_SIZES) {
    // The first pair only warms up both servers for this size.
    await sample(hearth, hearthLoad, burst);
    await sample(floor, floorLoad, burst);
    const hearthUs: number[] = [];
    const floorUs: number[] = [];
    for (let stretch = 0; stretch < stretches; stretch += 1) {
      hearthUs.push(await sample(hearth, hearthLoad, burst));
      floorUs.push(await sample(floor, floorLoad, burst));
    }
    progress(
      `fan-out: bursts of ${burst}: ${median(hearthUs).toFixed(2)} µs, floor ${median(floorUs).toFixed(2)} µs`,
    );
    figures.push({
      name:
        burst === 1
          ? `an event to one of ${listeners} listeners, one write at a time`
          : `the same, ${burst} writes at a time`,
      unit: 'µs of server processor time',
      value: median(hearthUs),
      compared: median(floorUs),
      target: { kind: 'ratioAtMost', bound: burst === 1 ? 1.3 : 0.33 },
    });
  }
  return figures;
}
