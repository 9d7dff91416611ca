import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pathOf } from '@hearth/core/tree/path.ts';
import type { DatabaseService } from '../database/database-service.ts';
import { ADMIN } from '../identity/identity.ts';
import type { EmulatorProduct } from './emulator-product.ts';

/** What can be exported. */
export interface DatabaseSource {
  readonly databases: Pick<DatabaseService, 'read'>;
  /** The names of all databases. */
  databaseNames(): readonly string[];
}

/** Longest time that one database may take, in ms. */
const TIMEOUT_MS = 2 ** 31 - 1;

const NOTHING = 'null';

/** All databases that hold something, each in a file of its name. */
export function databaseProduct(source: DatabaseSource): EmulatorProduct {
  return {
    name: 'database',
    folder: 'database_export',
    async write(folder) {
      const names: string[] = [];
      for (const database of source.databaseNames())
        if (await writeDatabase(source, database, join(folder, `${database}.json`))) names.push(database);
      return names.length === 0 ? 'no database' : names.join(', ');
    },
  };
}

/** Is there anything in the database? If not, there is no file. */
async function writeDatabase(
  { databases }: DatabaseSource,
  database: string,
  path: string,
): Promise<boolean> {
  const { json } = await databases.read(database, {
    operation: 'GET',
    identity: ADMIN,
    path: pathOf([]),
    form: 'export',
    selection: { kind: 'node' },
    wantsHash: false,
    timeoutMs: TIMEOUT_MS,
  });
  if (json.kind === 'whole' && json.bytes.toString() === NOTHING) return false;
  const parts = json.kind === 'whole' ? [json.bytes] : json.parts;
  await pipeline(Readable.from(parts, { objectMode: false }), createWriteStream(path, { flush: true }));
  return true;
}
