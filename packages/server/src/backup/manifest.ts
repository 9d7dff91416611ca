import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommandFailure } from '../ops/command-failure.ts';

/** What a backup holds of one database. */
export interface BackedUpDatabase {
  readonly name: string;
  /** Number of its last commit. */
  readonly commit: number;
  /** Of its JSON text in export form, in hexadecimal. */
  readonly sha256: string;
}

/**
 * What a backup is, in the file `backup.json` beside `data.mdb`. Owner: this file. History: 1 is the first format.
 */
export interface Manifest {
  readonly product: 'hearth-backup';
  readonly format: 1;
  /** Milliseconds since 1970. */
  readonly takenAtMs: number;
  /** Of the file `data.mdb`: its length, and its hash in hexadecimal. */
  readonly bytes: number;
  readonly sha256: string;
  readonly databases: readonly BackedUpDatabase[];
}

const FILE = 'backup.json';

export function writeManifest(directory: string, manifest: Manifest): void {
  writeFileSync(join(directory, FILE), `${JSON.stringify(manifest, null, 2)}\n`, {
    mode: 0o600,
    flush: true,
  });
}

/** Throws a `CommandFailure` when the directory is no backup that this version can read. */
export function readManifest(directory: string): Manifest {
  const manifest = parseManifest(directory);
  if (manifest.format === 1) return manifest;
  throw new CommandFailure(
    `The backup ${directory} was written by another version of Hearth (format ${String(manifest.format)}; this version reads 1).`,
  );
}

/** The file is this program's own: beyond the product, its shape is trusted. */
function parseManifest(directory: string): Manifest {
  try {
    const manifest: Manifest = JSON.parse(readFileSync(join(directory, FILE), 'utf8'));
    if (manifest.product === 'hearth-backup') return manifest;
  } catch (cause) {
    throw new CommandFailure(
      `${directory} is not a whole backup of Hearth: its ${FILE} is missing or broken.`,
      cause,
    );
  }
  throw new CommandFailure(`${directory} is not a backup of Hearth: its ${FILE} is something else's.`);
}
