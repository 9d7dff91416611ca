import type { LongReadParts } from '../database/long-read-parts.ts';
import type { Answer } from './answer.ts';

/** Answers with lines of JSON, each sent as soon as it is made. */
export function ndjsonAnswer(parts: LongReadParts): Answer {
  return {
    status: 200,
    headers: { 'content-type': 'application/x-ndjson; charset=utf-8' },
    body: { kind: 'parts', parts, broken: parts.broken },
  };
}
