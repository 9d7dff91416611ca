import { expect, test } from 'vitest';
import type { ProcessStats } from '../../platform/process.ts';
import { ServerActivity } from './metrics.ts';

const START: ProcessStats = {
  uptimeSec: 1,
  cpuMs: 100,
  residentBytes: 1_000,
  heapUsedBytes: 500,
  loopActiveMs: 100,
  loopIdleMs: 900,
};

const CLUSTER = { term: 3, pauseMs: 90, nodes: [{ node: 'a', head: 5, failsSnapshots: false }] };

test('[H450][D34] shares are those of the last second', () => {
  const time = { ms: 0 };
  let figures = START;
  const activity = new ServerActivity({
    clock: { nowMs: () => 7, elapsedMs: () => time.ms },
    readProcess: () => figures,
    readDisk: () => ({ freeBytes: 10, totalBytes: 20 }),
    store: { sizeBytes: () => 100, usedBytes: () => 60 },
    admission: { states: () => [] },
    eventLoop: { figures: { longestDelayMs: 250, longDelays: 3 } },
    appChecks: { totals: () => [] },
    readCluster: () => CLUSTER,
  });
  const pass = (ms: number, cpuMs: number, activeMs: number): void => {
    time.ms += ms;
    figures = {
      ...figures,
      cpuMs: figures.cpuMs + cpuMs,
      loopActiveMs: figures.loopActiveMs + activeMs,
      loopIdleMs: figures.loopIdleMs + ms - activeMs,
    };
    activity.tick();
  };
  pass(1_250, 500, 250);
  expect(activity.read()).toEqual({
    timeMs: 7,
    uptimeSec: 1,
    appCheckRequests: [],
    cpu: { share: 0.4, totalMs: 600 },
    memory: { residentBytes: 1_000, heapUsedBytes: 500 },
    eventLoop: { busyShare: 0.2, longestDelayMs: 250, longDelays: 3 },
    store: { sizeBytes: 100, usedBytes: 60, freeBytes: 40 },
    disk: { freeBytes: 10, totalBytes: 20 },
    resources: [],
    cluster: CLUSTER,
  });
  for (let second = 0; second < 15; second++) pass(1_000, 0, 0);
  expect(activity.read()).toMatchObject({
    cpu: { share: 0 },
    eventLoop: { busyShare: 0 },
  });
});
