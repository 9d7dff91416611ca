import { parsePathSegments } from '@hearth/core/tree/path.ts';
import { nodeLocation } from '../data-location.ts';
import type { DataRequest } from '../data-request.ts';
import { decodeBody, parseBody } from '../request-body.ts';
import { parseValue } from './data-set.ts';

/** `POST /<path>.json`: adds a child whose name sorts after all earlier ones; answers the name. */
export async function pushData({
  databases,
  namespace,
  identity,
  location,
  body,
}: DataRequest): Promise<string> {
  const parent = nodeLocation(location);
  const json = parseBody(decodeBody(body));
  const name = databases.createPushKey();
  const write = parseValue({ path: parsePathSegments([...parent, name]), isPriority: false }, json);
  await databases.write(namespace, { identity, writes: [write] });
  return JSON.stringify({ name });
}
