import { parsePath } from '@hearth/core/tree/path.ts';
import { ADMIN, type Identity } from '../identity/identity.ts';
import type { DatabaseService } from './database-service.ts';
import type { JsonStream } from './read-request.ts';

/** The node at a path as text in export form; for tests. */
export async function readText(
  databases: DatabaseService,
  database: string,
  path: string,
  identity: Identity = ADMIN,
): Promise<string> {
  const { json } = await databases.read(database, {
    operation: 'GET',
    identity,
    path: parsePath(path),
    form: 'export',
    selection: { kind: 'node' },
    wantsHash: false,
    timeoutMs: 60_000,
  });
  return collectText(json);
}

/** All of a stream, as text; for tests. */
export async function collectText(json: JsonStream): Promise<string> {
  if (json.kind === 'whole') return json.bytes.toString();
  const parts: Buffer[] = [];
  for await (const part of json.parts) parts.push(part);
  return Buffer.concat(parts).toString();
}
