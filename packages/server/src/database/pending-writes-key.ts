import { Refusal } from '@hearth/core/fault/refusal.ts';
import type { Key } from '@hearth/core/tree/key.ts';
import { type Path, pathOf, type WriteTarget } from '@hearth/core/tree/path.ts';
import { type KvRange, MAX_KEY_BYTES } from '../kv/store.ts';

/**
 * Keys of the table `sessions`. `session` is the id of a session: printable ASCII, without an end.
 *
 * | key             | value                                                                                    |
 * |-----------------|------------------------------------------------------------------------------------------|
 * | session 0       | header of the session's queue: `disconnect-queue.ts`                                     |
 * | session 1 place | what is to be written there: JSON text of a value in export form, or of a priority       |
 *
 * `place` is the keys of the path, for a priority followed by `.priority`, in UTF-16LE and with U+0000 between them. No
 * key contains that, so the places below a path are a range of their own.
 */
const HEADER = '\u0000';
const PLACE = '\u0001';
const END = '\u0002';

const SEPARATOR = '\u0000';
const PRIORITY = '.priority';

export function queueHeaderKey(sessionId: string): Buffer {
  return Buffer.from(sessionId + HEADER, 'latin1');
}

/** The least key above all keys of a session. */
export function queueEndKey(sessionId: string): Buffer {
  return Buffer.from(sessionId + END, 'latin1');
}

/** The session whose key it is. */
export function decodeSessionId(key: Buffer): string {
  const end = key.findIndex((byte) => byte <= 1);
  return key.toString('latin1', 0, end < 0 ? key.length : end);
}

/** Refuses with `path/too-long`. */
export function placeKey(sessionId: string, { path, isPriority }: WriteTarget): Buffer {
  const segments: readonly string[] = isPriority ? [...path, PRIORITY] : path;
  const key = Buffer.concat([placePrefix(sessionId), Buffer.from(segments.join(SEPARATOR), 'utf16le')]);
  if (key.length > MAX_KEY_BYTES) throw new Refusal('path/too-long');
  return key;
}

/** The keys of all places below a path, its own priority among them. */
export function rangeBelow(sessionId: string, path: Path): KvRange {
  const prefix = placePrefix(sessionId);
  if (path.length === 0) return { lower: prefix, upper: queueEndKey(sessionId) };
  const at = Buffer.concat([prefix, Buffer.from(path.join(SEPARATOR), 'utf16le')]);
  return { lower: Buffer.concat([at, Buffer.of(0, 0)]), upper: Buffer.concat([at, Buffer.of(0, 1)]) };
}

export function decodePlace(sessionId: string, key: Buffer): WriteTarget {
  const text = key.toString('utf16le', sessionId.length + PLACE.length);
  const segments = text === '' ? [] : text.split(SEPARATOR);
  const isPriority = segments.at(-1) === PRIORITY;
  if (isPriority) segments.pop();
  // They were valid when they were written.
  return { path: pathOf(segments as Key[]), isPriority };
}

function placePrefix(sessionId: string): Buffer {
  return Buffer.from(sessionId + PLACE, 'latin1');
}
