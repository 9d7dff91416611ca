import { clearInterval, setInterval } from 'node:timers';
import type { AppCheckTotal, DatabaseAppCheck } from '../../access/app-check.ts';
import type { Admission, ResourceState } from '../../platform/admission.ts';
import type { Clock } from '../../platform/clock.ts';
import type { EventLoopFigures, EventLoopWatch } from '../../platform/event-loop-watch.ts';
import type { ProcessStats } from '../../platform/process.ts';
import type { ServerTotals } from './activity-history.ts';

export interface ServerActivityOptions {
  readonly clock: Clock;
  readonly readProcess: () => ProcessStats;
  readonly readDisk: () => { readonly freeBytes: number; readonly totalBytes: number };
  readonly store: { sizeBytes(): number; usedBytes(): number };
  readonly admission: Pick<Admission, 'states'>;
  readonly eventLoop: Pick<EventLoopWatch, 'figures'>;
  /** Counts requests of apps by the service and the kind of their App Check token. */
  readonly appChecks: Pick<DatabaseAppCheck, 'totals'>;
  /** Returns metrics of the cluster; `undefined` without one. */
  readonly readCluster: (() => ClusterMetrics) | undefined;
}

/** What the node that leads a cluster knows of it. */
export interface ClusterMetrics {
  readonly term: number;
  /** Time without a server before this node began to serve, in ms; 0 if it knew none. */
  readonly pauseMs: number;
  /** The nodes that were heard recently, including this one. */
  readonly nodes: readonly ClusterNodeMetrics[];
}

export interface ClusterNodeMetrics {
  readonly node: string;
  /** Number of messages of the log that the node has read. */
  readonly head: number;
  readonly failsSnapshots: boolean;
}

/** Metrics of the server process. Shares are from 0 to 1. */
export interface ServerMetrics {
  readonly timeMs: number;
  readonly uptimeSec: number;
  readonly cpu: {
    /**
     * CPU time of the last second as a share of one processor; more than 1 if several processors were busy.
     */
    readonly share: number;
    readonly totalMs: number;
  };
  readonly memory: { readonly residentBytes: number; readonly heapUsedBytes: number };
  readonly eventLoop: {
    /** Share of the last second in which the event loop was busy. */
    readonly busyShare: number;
  } & EventLoopFigures;
  readonly store: { readonly sizeBytes: number; readonly usedBytes: number; readonly freeBytes: number };
  readonly disk: { readonly freeBytes: number; readonly totalBytes: number };
  /** The resources that all peers share. */
  readonly resources: readonly ResourceState[];
  readonly appCheckRequests: readonly AppCheckTotal[];
  /** `null` without a cluster. */
  readonly cluster: ClusterMetrics | null;
}

const TICK_MS = 1_000;

/** Collects metrics of the process. Some of them are differences over the last second. */
export class ServerActivity implements Disposable {
  readonly #options: ServerActivityOptions;
  #timer: NodeJS.Timeout | undefined;
  #tickedAtMs: number;
  #before: ProcessStats;
  #cpuShare = 0;
  #busyShare = 0;

  constructor(options: ServerActivityOptions) {
    this.#options = options;
    this.#tickedAtMs = options.clock.elapsedMs();
    this.#before = options.readProcess();
  }

  start(): void {
    this.#timer = setInterval(() => this.tick(), TICK_MS);
    this.#timer.unref();
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  /** Measures the last second. Must be called every second. */
  tick(): void {
    const nowMs = this.#options.clock.elapsedMs();
    const tookMs = nowMs - this.#tickedAtMs;
    const figures = this.#options.readProcess();
    const activeMs = figures.loopActiveMs - this.#before.loopActiveMs;
    const idleMs = figures.loopIdleMs - this.#before.loopIdleMs;
    this.#cpuShare = ratioOf(figures.cpuMs - this.#before.cpuMs, tookMs);
    this.#busyShare = ratioOf(activeMs, activeMs + idleMs);
    this.#tickedAtMs = nowMs;
    this.#before = figures;
  }

  read(): ServerMetrics {
    const { clock, readProcess, readDisk, store, admission, eventLoop, appChecks, readCluster } =
      this.#options;
    const { uptimeSec, cpuMs, residentBytes, heapUsedBytes } = readProcess();
    const sizeBytes = store.sizeBytes();
    const usedBytes = Math.min(store.usedBytes(), sizeBytes);
    return {
      timeMs: clock.nowMs(),
      uptimeSec,
      cpu: { share: this.#cpuShare, totalMs: cpuMs },
      memory: { residentBytes, heapUsedBytes },
      eventLoop: { busyShare: this.#busyShare, ...eventLoop.figures },
      store: { sizeBytes, usedBytes, freeBytes: sizeBytes - usedBytes },
      disk: readDisk(),
      resources: admission.states(),
      appCheckRequests: appChecks.totals(),
      cluster: readCluster?.() ?? null,
    };
  }
}

/** Returns the ratio, rounded to three decimal places; 0 if `whole` is not positive. */
function ratioOf(part: number, whole: number): number {
  return whole <= 0 ? 0 : Math.round((part / whole) * 1_000) / 1_000;
}

/** Upper bounds of the latency buckets, in seconds. */
const BOUNDS_SEC = [0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.064, 0.128, 0.256, 0.512, 1, 2, 4, 8, 16];

interface Metric {
  readonly name: string;
  readonly kind: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  /** Suffix of the name (labels, or the end of a longer name) and value of each sample. */
  readonly lines: readonly (readonly [suffix: string, value: number])[];
}

/** Returns the metrics of the server in the Prometheus text format 0.0.4. */
export function metricsText(totals: ServerTotals, figures: ServerMetrics): string {
  return metricsOf(totals, figures)
    .map(({ name, kind, help, lines }) => {
      const samples = lines.map(([suffix, value]) => `${name}${suffix} ${value}\n`).join('');
      return `# HELP ${name} ${help}\n# TYPE ${name} ${kind}\n${samples}`;
    })
    .join('');
}

function metricsOf(totals: ServerTotals, figures: ServerMetrics): readonly Metric[] {
  const { cpu, memory, eventLoop, store, disk, timeMs, uptimeSec, resources, appCheckRequests } = figures;
  return [
    counter('hearth_reads_total', 'Reads, and listens that began.', totals.reads),
    counter('hearth_writes_total', 'Writes that changed something.', totals.writes),
    counter('hearth_denied_total', 'Operations denied by rules.', totals.denied),
    counter('hearth_sent_bytes_total', 'Bytes sent to database clients.', totals.sentBytes),
    counter('hearth_received_bytes_total', 'Bytes received from database clients.', totals.receivedBytes),
    gauge('hearth_connections', 'Clients connected to databases.', totals.connections),
    latency(totals),
    counter('process_cpu_seconds_total', 'CPU time of the process.', cpu.totalMs / 1_000),
    gauge(
      'process_start_time_seconds',
      'Start time of the process, in seconds since 1970.',
      timeMs / 1_000 - uptimeSec,
    ),
    gauge('process_resident_memory_bytes', 'Resident memory of the process.', memory.residentBytes),
    gauge(
      'hearth_event_loop_busy_ratio',
      'Share of the last second in which the event loop was busy.',
      eventLoop.busyShare,
    ),
    gauge(
      'hearth_event_loop_longest_delay_seconds',
      'Longest event loop delay of the last 15 seconds.',
      eventLoop.longestDelayMs / 1_000,
    ),
    counter(
      'hearth_event_loop_long_delays_total',
      'Times that the event loop was blocked for more than 50 ms.',
      eventLoop.longDelays,
    ),
    {
      name: 'hearth_store_bytes',
      kind: 'gauge',
      help: 'Bytes of the data file, used and free.',
      lines: [
        ['{state="used"}', store.usedBytes],
        ['{state="free"}', store.freeBytes],
      ],
    },
    gauge('hearth_disk_free_bytes', 'Free bytes of the disk that holds the data.', disk.freeBytes),
    {
      name: 'hearth_resource_used',
      kind: 'gauge',
      help: 'Use of each resource that all peers share.',
      lines: resources.map(({ name, usage }) => [`{resource="${name}"}`, usage.used]),
    },
    {
      name: 'hearth_resource_limit',
      kind: 'gauge',
      help: 'Limit of each resource that all peers share.',
      lines: resources.map(({ name, limits }) => [`{resource="${name}"}`, limits.total]),
    },
    {
      name: 'hearth_resource_rejected_total',
      kind: 'counter',
      help: 'Requests for a part of a shared resource that were rejected.',
      lines: resources.map(({ name, usage }) => [`{resource="${name}"}`, usage.rejected]),
    },
    {
      name: 'hearth_resource_evicted_total',
      kind: 'counter',
      help: 'Parts of a shared resource that were taken from one peer for another.',
      lines: resources.map(({ name, usage }) => [`{resource="${name}"}`, usage.evicted]),
    },
    {
      name: 'hearth_app_check_requests_total',
      kind: 'counter',
      help: 'Requests of apps where App Check is not off, by the kind of their token.',
      lines: appCheckRequests.map(({ service, kind, count }) => [
        `{service="${service}",token="${kind}"}`,
        count,
      ]),
    },
    ...(figures.cluster === null ? [] : clusterMetricsOf(figures.cluster)),
  ];
}

function clusterMetricsOf({ term, pauseMs, nodes }: ClusterMetrics): readonly Metric[] {
  const newest = Math.max(0, ...nodes.map(({ head }) => head));
  const ofNodes = (name: string, help: string, read: (node: ClusterNodeMetrics) => number): Metric => ({
    name,
    kind: 'gauge',
    help,
    lines: nodes.map((node) => [`{node="${node.node}"}`, read(node)]),
  });
  return [
    gauge('hearth_cluster_term', 'Number of the term of the node that leads.', term),
    gauge(
      'hearth_cluster_pause_seconds',
      'Time without a server before the node that leads began to serve.',
      pauseMs / 1_000,
    ),
    ofNodes('hearth_cluster_node_messages', 'Messages of the log that a node has read.', ({ head }) => head),
    ofNodes(
      'hearth_cluster_node_behind_messages',
      'Messages of the log that a node has not read yet.',
      ({ head }) => newest - head,
    ),
    ofNodes(
      'hearth_cluster_node_snapshots_failing',
      '1 if a node has recently failed to store a snapshot.',
      ({ failsSnapshots }) => Number(failsSnapshots),
    ),
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
    help: 'Request latency, including the time until writes are on disk.',
    lines: [
      ...buckets,
      ['_bucket{le="+Inf"}', times.total],
      ['_sum', times.sumMs / 1_000],
      ['_count', times.total],
    ],
  };
}
