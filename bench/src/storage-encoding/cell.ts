import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { documentAt, type Encoding, messageAt, pushKeyAt, type Sample } from './encodings.ts';
import { type MapOptions, readResidentMemory, SampleStore } from './sample-store.ts';

const PER_TRANSACTION = 1000;
const PER_SCAN = 1000;
const REPEATS = 2000;
const WINDOW = 50;
const DOCUMENT_WINDOW = 5;

/** The stored data: many small messages with an index, or fewer objects of forty fields without an index. */
export type DataSet = 'messages' | 'documents';

/** One row of the table. Rates are per second; the other names end with their units. */
export interface CellResult {
  readonly loadPerSecond: number;
  readonly fileMib: number;
  readonly lastChildrenMicros: number;
  readonly updateMicros: number;
  readonly scanPerSecond: number;
  readonly peakLoadingMib: number;
  readonly afterScanMib: number;
  readonly afterScanAnonymousMib: number;
  readonly afterScanMappedMib: number;
  readonly peakServingMib: number;
  readonly longestReleaseMs: number;
}

/** Measures one encoding with one way to open the file. Should run alone in its process. */
export function measureCell(
  dataSet: DataSet,
  count: number,
  encoding: Encoding,
  map: MapOptions,
): CellResult {
  const directory = mkdtempSync(join(tmpdir(), 'storage-encoding-'));
  const store = new SampleStore(directory, encoding, map);
  let longestReleaseMs = 0;
  const memory = (): number => {
    longestReleaseMs = Math.max(longestReleaseMs, store.releaseIfLarge());
    return readResidentMemory().totalMib;
  };

  let peakLoadingMib = 0;
  const sampleAt = dataSet === 'messages' ? messageAt : documentAt;
  const loadMs = time(() => {
    for (let start = 0; start < count; start += PER_TRANSACTION) {
      store.transact(() =>
        insertRange(store, start, Math.min(count, start + PER_TRANSACTION), sampleAt, dataSet),
      );
      peakLoadingMib = Math.max(peakLoadingMib, memory());
    }
  });
  const window = dataSet === 'messages' ? WINDOW : DOCUMENT_WINDOW;
  const lastMs = time(() => {
    for (let repeat = 0; repeat < REPEATS; repeat += 1) store.readJson(window, undefined);
  });
  const field = dataSet === 'messages' ? 'text' : 'field-20';
  const updateMs = time(() => {
    store.transact(() => {
      for (let repeat = 0; repeat < REPEATS; repeat += 1) {
        store.update(pushKeyAt((repeat * 7919) % count), field, `changed ${repeat}`);
      }
    });
  });

  let peakServingMib = 0;
  const scanMs = time(() => {
    for (let start = 0; start < count; start += PER_SCAN) {
      store.readJson(PER_SCAN, pushKeyAt(start));
      peakServingMib = Math.max(peakServingMib, memory());
    }
  });
  const after = readResidentMemory();
  const fileMib = store.fileMib();
  store.close();
  rmSync(directory, { recursive: true });
  return {
    loadPerSecond: Math.round((count / loadMs) * 1000),
    fileMib,
    lastChildrenMicros: Math.round((lastMs * 1000) / REPEATS),
    updateMicros: Number(((updateMs * 1000) / REPEATS).toFixed(1)),
    scanPerSecond: Math.round((count / scanMs) * 1000),
    peakLoadingMib,
    afterScanMib: after.totalMib,
    afterScanAnonymousMib: after.anonymousMib,
    afterScanMappedMib: after.mappedMib,
    peakServingMib,
    longestReleaseMs: Number(longestReleaseMs.toFixed(1)),
  };
}

function insertRange(
  store: SampleStore,
  start: number,
  end: number,
  sampleAt: (index: number) => Sample,
  dataSet: DataSet,
): void {
  for (let index = start; index < end; index += 1) {
    const sample = sampleAt(index);
    const indexed = dataSet === 'messages' ? Number(sample['ts']) : undefined;
    store.insert(pushKeyAt(index), sample, indexed);
  }
}

function time(body: () => void): number {
  const startedMs = performance.now();
  body();
  return performance.now() - startedMs;
}
