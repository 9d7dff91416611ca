import { isJsonObject, type Json } from './json.ts';
import type { Heard } from './raw-socket.ts';

/** What a push changes: absolute paths with their values, and the tag of its listen. */
export interface Changes {
  readonly tag: Json;
  readonly changes: { readonly [path: string]: Json };
}

/** The meaning of a data push, in which `d` at a path and `m` with that one path are the same. */
export function changesOf([action, body]: Heard): Changes {
  if (!isJsonObject(body)) throw new Error('The push has no body.');
  const path = String(body['p']);
  const data = body['d'] ?? null;
  const join = (relative: string) => (path === '' ? relative : `${path}/${relative}`);
  const tag = body['t'] ?? null;
  if (action === 'd') return { tag, changes: { [path]: data } };
  if (action !== 'm' || !isJsonObject(data)) throw new Error(`Not a data push: ${action}`);
  const entries = Object.entries(data).map(([key, value]) => [join(key), value ?? null] as const);
  return { tag, changes: Object.fromEntries(entries) };
}
