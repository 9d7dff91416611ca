import type { JsonStream } from '../database/read-request.ts';

/** How a text is turned into another, at once and in parts. */
export interface JsonMapping {
  readonly whole: (bytes: Buffer) => Buffer;
  readonly parts: (parts: AsyncIterable<Buffer>) => AsyncGenerator<Buffer, void, undefined>;
}

/** Another text made of a text. To return it returns the text it is made of, even if nothing was asked for yet. */
export function mapJson(json: JsonStream, mapping: JsonMapping): JsonStream {
  return json.kind === 'whole'
    ? { kind: 'whole', bytes: mapping.whole(json.bytes) }
    : mapParts(json, mapping.parts);
}

/** The same of a text that comes in parts. */
export function mapParts(
  json: JsonStream & { readonly kind: 'parts' },
  map: JsonMapping['parts'],
): JsonStream {
  return { ...json, parts: endingBoth(map(json.parts), json.parts) };
}

type Parts = AsyncGenerator<Buffer, void, undefined>;

/** A generator that has not begun would not end what it is going to read. */
function endingBoth(outer: Parts, inner: Parts): Parts {
  const end = async (): Promise<IteratorResult<Buffer, void>> => {
    await outer.return();
    return inner.return();
  };
  return {
    next: () => outer.next(),
    return: end,
    async throw(error: unknown) {
      await end();
      throw error;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
    async [Symbol.asyncDispose]() {
      await end();
    },
  };
}
