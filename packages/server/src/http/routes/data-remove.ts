import { parseSet } from '../../database/draft-write.ts';
import type { DataRequest } from '../data-request.ts';

/** `DELETE /<path>.json`: removes the node, or its priority. */
export async function removeData({ databases, namespace, identity, location }: DataRequest): Promise<string> {
  await databases.write(namespace, { identity, writes: [parseSet(location, null)] });
  return 'null';
}
