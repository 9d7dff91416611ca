import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServerOptions, ServerProcess } from './server-process.ts';

/**
 * Sends a request as an administrator of the whole server. Resolves to the JSON of the response, `null` if it is empty.
 * Rejects unless the status is a success.
 */
export type Administrator = (method: string, path: string, body?: unknown) => Promise<unknown>;

/**
 * Returns a function that sends requests to a running server. `hearth serve` requires a token, which it stores in the
 * data directory.
 */
export async function openAdministrator(
  { url, dataDir }: ServerProcess,
  command: ServerOptions['command'] = 'dev',
): Promise<Administrator> {
  const token = command === 'serve' ? await readToken(dataDir) : 'owner';
  return async (method, path, body) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === '' ? null : JSON.parse(text);
  };
}

/** Reads the token that `hearth serve` stores for programs that can read its data directory. */
export async function readToken(dataDir: string): Promise<string> {
  const access: unknown = JSON.parse(await readFile(join(dataDir, 'local-access.json'), 'utf8'));
  if (typeof access !== 'object' || access === null || !('token' in access))
    throw new Error('The file has no token.');
  return String(access.token);
}
