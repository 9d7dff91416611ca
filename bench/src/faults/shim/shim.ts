import { closeSync, ftruncateSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** The numbers that the shim reads, in the order of `struct control` of shim.c. */
const SETTINGS = [
  'failWrites',
  'failSyncs',
  'clockOffset',
  'failReads',
  'keepJournal',
  'ignoreSyncs',
] as const;
/** The numbers that the shim counts, after those. */
const COUNTS = ['failedWrites', 'failedSyncs', 'failedReads', 'clockReads'] as const;

type Setting = (typeof SETTINGS)[number];
type Count = (typeof COUNTS)[number];

const NUMBER_BYTES = 8;

/** Controls the faults of processes that run with the shim. shim.c describes each setting. */
export class Shim implements Disposable {
  /** Variables of the environment of a process with the shim. */
  readonly environment: Readonly<Record<string, string>>;
  /** The writes that a power failure may undo. */
  readonly journalPath: string;
  readonly #controlPath: string;
  readonly #file: number;

  /** `library` is the compiled shim. Faults affect files in `dataDirectory`. */
  constructor(library: string, workDirectory: string, dataDirectory: string) {
    const name = String(process.hrtime.bigint());
    this.#controlPath = join(workDirectory, `control-${name}`);
    this.journalPath = join(workDirectory, `journal-${name}`);
    this.#file = openSync(this.#controlPath, 'w+', 0o600);
    ftruncateSync(this.#file, 4_096);
    this.environment = {
      LD_PRELOAD: library,
      HEARTH_FAULTS_CONTROL: this.#controlPath,
      HEARTH_FAULTS_DIRECTORY: dataDirectory,
      HEARTH_FAULTS_JOURNAL: this.journalPath,
    };
  }

  set(setting: Setting, value: number): void {
    const bytes = Buffer.alloc(NUMBER_BYTES);
    bytes.writeBigInt64LE(BigInt(value));
    writeSync(this.#file, bytes, 0, NUMBER_BYTES, SETTINGS.indexOf(setting) * NUMBER_BYTES);
  }

  /** Returns how often the shim has made a fault since the process started. */
  read(count: Count): number {
    const bytes = Buffer.alloc(NUMBER_BYTES);
    readSync(this.#file, bytes, 0, NUMBER_BYTES, (SETTINGS.length + COUNTS.indexOf(count)) * NUMBER_BYTES);
    return Number(bytes.readBigInt64LE());
  }

  [Symbol.dispose](): void {
    closeSync(this.#file);
    rmSync(this.#controlPath, { force: true });
    rmSync(this.journalPath, { force: true });
  }
}
