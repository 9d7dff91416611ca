import type { JsonStream } from '../database/read-request.ts';
import { mapParts } from './map-json.ts';

/** The same text, whose length in bytes is told when it is known. */
export function countBytes(json: JsonStream, tell: (bytes: number) => void): JsonStream {
  if (json.kind === 'whole') {
    tell(json.bytes.length);
    return json;
  }
  return mapParts(json, (parts) => countParts(parts, tell));
}

async function* countParts(
  parts: AsyncIterable<Buffer>,
  tell: (bytes: number) => void,
): AsyncGenerator<Buffer, void, undefined> {
  let bytes = 0;
  try {
    for await (const part of parts) {
      bytes += part.length;
      yield part;
    }
  } finally {
    tell(bytes);
  }
}
