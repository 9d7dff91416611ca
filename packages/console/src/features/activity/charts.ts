import type { Meaning } from '../../theme.ts';
import type { ActivityPoint } from './activity-series.ts';

type Figure = Exclude<keyof ActivityPoint, 'timeMs'>;

interface Chart {
  readonly id: 'operations' | 'latency' | 'traffic' | 'connections';
  /** What its numbers count. */
  readonly unit: 'perSec' | 'ms' | 'bytesPerSec' | 'count';
  readonly lines: readonly { readonly figure: Figure; readonly color: Meaning }[];
}

/** The charts of live activity. */
export const CHARTS: readonly Chart[] = [
  {
    id: 'operations',
    unit: 'perSec',
    lines: [
      { figure: 'readsPerSec', color: 'number' },
      { figure: 'writesPerSec', color: 'allow' },
      { figure: 'deniedPerSec', color: 'deny' },
    ],
  },
  {
    id: 'latency',
    unit: 'ms',
    lines: [
      { figure: 'p50Ms', color: 'number' },
      { figure: 'p99Ms', color: 'boolean' },
    ],
  },
  {
    id: 'traffic',
    unit: 'bytesPerSec',
    lines: [
      { figure: 'sentPerSec', color: 'number' },
      { figure: 'receivedPerSec', color: 'allow' },
    ],
  },
  { id: 'connections', unit: 'count', lines: [{ figure: 'connections', color: 'key' }] },
];

export type { Chart };
