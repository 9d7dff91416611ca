import type { AlertFigures } from '../auth/alerts/alerts.ts';
import type { Databases } from '../realtime/database/registry.ts';
import { SAMPLE_SEC } from '../realtime/monitoring/database-activity.ts';

/** Number of samples of one minute. */
const SAMPLES = 60 / SAMPLE_SEC;

/** Returns a function that reads the figures of the databases of a project in the last minute. */
export function createFigureReader(
  databases: Pick<Databases, 'activities'>,
  ownerOf: (database: string) => string | undefined,
  readDisk: () => { readonly freeBytes: number; readonly totalBytes: number },
): (projectId: string) => AlertFigures {
  return (projectId) => {
    let denials = 0;
    let latency = 0;
    let connections = 0;
    for (const [name, activity] of databases.activities()) {
      if (ownerOf(name) !== projectId) continue;
      connections += activity.connections;
      for (const { denied, p99Ms } of activity.history.slice(-SAMPLES)) {
        denials += denied;
        latency = Math.max(latency, p99Ms ?? 0);
      }
    }
    const { freeBytes, totalBytes } = readDisk();
    const disk = totalBytes === 0 ? 0 : Math.floor((1 - freeBytes / totalBytes) * 100);
    return { denials, latency: Math.round(latency), connections, disk };
  };
}
