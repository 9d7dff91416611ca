import { exportJson } from '@hearth/core/tree/node-json.ts';
import { expect, test } from 'vitest';
import { blobNode, encodeBlob, ParsedBlobs } from './entry.ts';

function blob(text: string): Buffer {
  return encodeBlob(text, 0, Buffer.byteLength(text));
}

test('[K166] a blob that is read again is not parsed again', () => {
  const parsed = new ParsedBlobs(1_000);
  const node = parsed.node(blob('{"a":1}'));
  expect(parsed.node(blob('{"a":1}'))).toBe(node);
  expect(parsed.node(blob('{"a":2}'))).not.toBe(node);
});

test('[K166] the cache returns the tree of the blob for any limit and any order of reads', () => {
  const texts = Array.from({ length: 50 }, (_, i) => `{"é${i % 7}":{"n":${i % 11}}}`);
  for (const maxBytes of [0, 20, 100, 10_000]) {
    const parsed = new ParsedBlobs(maxBytes);
    for (const text of [...texts, ...texts])
      expect(exportJson(parsed.node(blob(text)))).toBe(exportJson(blobNode(blob(text))));
  }
});
