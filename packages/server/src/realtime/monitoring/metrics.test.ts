import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ServerTotals } from './activity-history.ts';
import { metricsText, type ServerMetrics } from './metrics.ts';

const REFERENCE = new URL('../../../../../docs/reference/metrics.md', import.meta.url);

const FIGURES: ServerMetrics = {
  timeMs: 10_000,
  uptimeSec: 4,
  cpu: { share: 0.5, totalMs: 1_500 },
  memory: { residentBytes: 1_000, heapUsedBytes: 500 },
  eventLoop: { busyShare: 0.25, longestDelayMs: 20, longDelays: 5 },
  store: { sizeBytes: 100, usedBytes: 60, freeBytes: 40 },
  disk: { freeBytes: 10, totalBytes: 20 },
  resources: [
    {
      name: 'bodies',
      limits: { total: 100, reserve: 10, ofNetwork: 100, idleMs: 1 },
      usage: { used: 7, networks: 2, rejected: 3, evicted: 4 },
    },
  ],
  appCheckRequests: [{ service: 'accounts', kind: 'missing', count: 9 }],
  cluster: {
    term: 7,
    pauseMs: 250,
    nodes: [
      { node: '10.0.0.1:9100', head: 100, failsSnapshots: false },
      { node: '[fe80::1]:9100', head: 90, failsSnapshots: true },
    ],
  },
};

test('[D34] without a cluster there are no metrics of one', () => {
  const text = metricsText(new ServerTotals(), { ...FIGURES, cluster: null });
  expect(text).toContain('hearth_reads_total');
  expect(text).not.toContain('hearth_cluster');
});

test('[H461][I1177][D34] each metric has a help text, a type and a value', () => {
  const totals = new ServerTotals();
  totals.add({
    timeMs: 1,
    reads: 3,
    writes: 2,
    denied: 1,
    connections: 0,
    sentBytes: 7,
    receivedBytes: 5,
    p50Ms: null,
    p99Ms: null,
  });
  totals.connections = 4;
  totals.latency.record(0.5);
  totals.latency.record(100);
  const text = metricsText(totals, FIGURES);
  expect(text.startsWith('# HELP hearth_reads_total Reads, and listens that began.\n')).toBe(true);
  const lines = text.split('\n');
  expect(lines).toEqual(
    expect.arrayContaining([
      '# TYPE hearth_reads_total counter',
      'hearth_reads_total 3',
      'hearth_connections 4',
      'hearth_request_duration_seconds_bucket{le="0.001"} 1',
      'hearth_request_duration_seconds_bucket{le="0.064"} 1',
      'hearth_request_duration_seconds_bucket{le="0.128"} 2',
      'hearth_request_duration_seconds_bucket{le="+Inf"} 2',
      'hearth_request_duration_seconds_sum 0.1005',
      'hearth_request_duration_seconds_count 2',
      'process_cpu_seconds_total 1.5',
      'process_start_time_seconds 6',
      'hearth_event_loop_long_delays_total 5',
      'hearth_store_bytes{state="free"} 40',
      'hearth_resource_used{resource="bodies"} 7',
      'hearth_app_check_requests_total{service="accounts",token="missing"} 9',
      'hearth_resource_limit{resource="bodies"} 100',
      'hearth_resource_evicted_total{resource="bodies"} 4',
      'hearth_cluster_term 7',
      'hearth_cluster_pause_seconds 0.25',
      'hearth_cluster_node_messages{node="10.0.0.1:9100"} 100',
      'hearth_cluster_node_behind_messages{node="[fe80::1]:9100"} 10',
      'hearth_cluster_node_snapshots_failing{node="[fe80::1]:9100"} 1',
    ]),
  );
  for (const line of lines.slice(0, -1))
    expect(line).toMatch(
      /^(?:# (?:HELP|TYPE) [a-z_]+ .+|[a-z_]+(?:\{[a-z]+="[^"]+"(?:,[a-z]+="[^"]+")*\})? [0-9.e+-]+)$/,
    );
  expect(lines.at(-1)).toBe('');
});

test('[P39] the reference lists the metrics in the order of the output', () => {
  const lines = readFileSync(REFERENCE, 'utf8').split('\n');
  const heads = metricsText(new ServerTotals(), FIGURES).matchAll(/^# HELP (\S+) (.*)\n# TYPE \S+ (\S+)$/gm);
  expect(lines.filter((line) => line.startsWith('| `'))).toEqual(
    Array.from(heads, ([, name, help, kind]) => `| \`${name}\` | ${kind} | ${help} |`),
  );
});
