/** What becomes of the file: it replaces what is at the place, is merged into it, or is only compared with it. */
export type ImportMode = 'replace' | 'merge' | 'compare';

/** How far a server is with an import. */
export interface RemoteImport {
  readonly status: 'open' | 'done' | 'failed';
  /** Bytes of the JSON text that it has taken in for good. */
  readonly offset: number;
  /** CRC-32 of these bytes. */
  readonly crc32: number;
  readonly counts: Readonly<Record<string, number>>;
  /** Why it has failed, with the place in the text; empty unless it has. */
  readonly error: string;
}

/** Reads the answer of a server; `undefined` when it is no such thing. */
export function findRemoteImport(text: string): RemoteImport | undefined {
  const json = findJson(text);
  if (typeof json !== 'object' || json === null || !('status' in json && 'offset' in json && 'crc32' in json))
    return undefined;
  const { status, offset, crc32 } = json;
  if (status !== 'open' && status !== 'done' && status !== 'failed') return undefined;
  if (typeof offset !== 'number' || typeof crc32 !== 'number') return undefined;
  const counts = 'counts' in json ? parseCounts(json.counts) : {};
  return { status, offset, crc32, counts, error: 'error' in json ? String(json.error) : '' };
}

function findJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function parseCounts(json: unknown): Readonly<Record<string, number>> {
  if (typeof json !== 'object' || json === null) return {};
  return Object.fromEntries(
    Object.entries(json).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
  );
}
