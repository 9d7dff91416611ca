import { parsePath } from '@hearth/core/tree/path.ts';
import { ADMIN, type Principal } from '../../access/principal.ts';
import type { JsonStream } from '../../http/json-output.ts';
import type { DatabaseService } from './api.ts';

/** Returns the node at a path as text in export format. For tests. */
export async function readText(
  databases: DatabaseService,
  database: string,
  path: string,
  identity: Principal = ADMIN,
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

/** Returns a whole stream as text. For tests. */
export async function collectText(json: JsonStream): Promise<string> {
  if (json.kind === 'whole') return json.bytes.toString();
  const parts: Buffer[] = [];
  for await (const part of json.parts) parts.push(part);
  return Buffer.concat(parts).toString();
}
