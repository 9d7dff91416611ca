import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import type { DataRequest } from '../data-request.ts';

/** `GET /<path>.json`: the node in plain form, `null` when there is none; or its priority. */
export async function readData({ databases, namespace, identity, location }: DataRequest): Promise<string> {
  if (!location.isPriority) return databases.readJson(namespace, identity, location.path, 'plain');
  const json = await databases.readJson(namespace, identity, location.path, 'export');
  const node = parseJsonText(json);
  const hasPriority = typeof node === 'object' && node !== null && '.priority' in node;
  return JSON.stringify(hasPriority ? node['.priority'] : null);
}
