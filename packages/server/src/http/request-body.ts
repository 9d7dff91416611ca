import { Refusal } from '@hearth/core/fault/refusal.ts';
import { parseJsonText } from '@hearth/core/tree/json-text.ts';

/** The text of a body, without byte order mark. Refuses an absent one and bytes that are not UTF-8. */
export function decodeBody(body: Buffer | undefined): string {
  if (body === undefined || body.length === 0) throw new Refusal('value/missing');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch (cause) {
    throw new Refusal('value/unparsable', undefined, { cause });
  }
}

/** Reads the JSON of a body, whatever content type it claims to have. */
export function parseBody(text: string): unknown {
  if (text.trim() === '') throw new Refusal('value/missing');
  try {
    return parseJsonText(text);
  } catch (cause) {
    if (cause instanceof SyntaxError || cause instanceof RangeError)
      throw new Refusal('value/unparsable', undefined, { cause });
    throw cause;
  }
}
