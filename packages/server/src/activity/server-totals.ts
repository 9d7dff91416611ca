import type { ActivitySample, ActivityTotals } from './activity-sample.ts';
import { LatencyHistogram } from './latency-histogram.ts';

/** What was done to all databases since the server has started, to the last second. */
export class ServerTotals implements ActivityTotals {
  reads = 0;
  writes = 0;
  denied = 0;
  sentBytes = 0;
  receivedBytes = 0;
  /** That are there now. */
  connections = 0;
  readonly latency = new LatencyHistogram();

  add(sample: ActivitySample): void {
    this.reads += sample.reads;
    this.writes += sample.writes;
    this.denied += sample.denied;
    this.sentBytes += sample.sentBytes;
    this.receivedBytes += sample.receivedBytes;
  }
}
