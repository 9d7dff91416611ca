import type { ServerFigures } from './server-activity.ts';
import type { ServerTotals } from './server-totals.ts';

/** Upper bounds of the times that are told, in seconds. */
const BOUNDS_SEC = [0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.064, 0.128, 0.256, 0.512, 1, 2, 4, 8, 16];

interface Metric {
  readonly name: string;
  readonly kind: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  /** What follows the name: labels, or the end of a longer name, and the value. */
  readonly lines: readonly (readonly [suffix: string, value: number])[];
}

/** What goes on, in the text format 0.0.4 of Prometheus. */
export function metricsText(totals: ServerTotals, figures: ServerFigures): string {
  return metricsOf(totals, figures)
    .map(({ name, kind, help, lines }) => {
      const samples = lines.map(([suffix, value]) => `${name}${suffix} ${value}\n`).join('');
      return `# HELP ${name} ${help}\n# TYPE ${name} ${kind}\n${samples}`;
    })
    .join('');
}

function metricsOf(totals: ServerTotals, figures: ServerFigures): readonly Metric[] {
  const { cpu, memory, eventLoop, store, disk, timeMs, uptimeSec } = figures;
  return [
    counter('hearth_reads_total', 'Listens that began, and reads.', totals.reads),
    counter('hearth_writes_total', 'Writes that changed something.', totals.writes),
    counter('hearth_denied_total', 'Operations that rules have denied.', totals.denied),
    counter('hearth_sent_bytes_total', 'Bytes sent to clients of databases.', totals.sentBytes),
    counter('hearth_received_bytes_total', 'Bytes received from them.', totals.receivedBytes),
    gauge('hearth_connections', 'Clients that are connected to databases.', totals.connections),
    latency(totals),
    counter('process_cpu_seconds_total', 'Processor time of the process.', cpu.totalMs / 1_000),
    gauge('process_start_time_seconds', 'When the process started, since 1970.', timeMs / 1_000 - uptimeSec),
    gauge('process_resident_memory_bytes', 'Memory of the process.', memory.residentBytes),
    gauge('hearth_event_loop_busy_ratio', 'Share of the last second.', eventLoop.busyShare),
    gauge(
      'hearth_event_loop_longest_delay_seconds',
      'Longest of the last 15 seconds.',
      eventLoop.longestDelayMs / 1_000,
    ),
    {
      name: 'hearth_store_bytes',
      kind: 'gauge',
      help: 'Bytes of the data file.',
      lines: [
        ['{state="used"}', store.usedBytes],
        ['{state="free"}', store.freeBytes],
      ],
    },
    gauge('hearth_disk_free_bytes', 'Free bytes of the disk with the data.', disk.freeBytes),
  ];
}

function counter(name: string, help: string, value: number): Metric {
  return { name, kind: 'counter', help, lines: [['', value]] };
}

function gauge(name: string, help: string, value: number): Metric {
  return { name, kind: 'gauge', help, lines: [['', value]] };
}

function latency({ latency: times }: ServerTotals): Metric {
  const buckets = BOUNDS_SEC.map((sec) => [`_bucket{le="${sec}"}`, times.countBelow(sec * 1_000)] as const);
  return {
    name: 'hearth_request_duration_seconds',
    kind: 'histogram',
    help: 'How long requests took, until what they wrote was on disk.',
    lines: [
      ...buckets,
      ['_bucket{le="+Inf"}', times.total],
      ['_sum', times.sumMs / 1_000],
      ['_count', times.total],
    ],
  };
}
