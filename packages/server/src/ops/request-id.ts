import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const IDS = new WeakMap<IncomingMessage, string>();

/** What a request is called in its answer, in the log and in the audit: always the same UUID. */
export function requestIdOf(request: IncomingMessage): string {
  const known = IDS.get(request);
  if (known !== undefined) return known;
  const id = randomUUID();
  IDS.set(request, id);
  return id;
}
