import type { Answer } from './answer.ts';

/** Answers with lines of JSON, each sent as soon as it is made, until they are broken off. */
export function ndjsonAnswer(
  parts: AsyncGenerator<Buffer, void, undefined> & { readonly broken?: AbortSignal },
): Answer {
  const { broken } = parts;
  return {
    status: 200,
    headers: { 'content-type': 'application/x-ndjson; charset=utf-8' },
    body: { kind: 'parts', parts, ...(broken === undefined ? {} : { broken }) },
  };
}
