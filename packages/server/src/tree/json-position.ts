import type { RefusalCode } from '@hearth/core/fault/codes.ts';
import { Refusal } from '@hearth/core/fault/refusal.ts';

/** A place in JSON text. */
export interface JsonPosition {
  /** Bytes before it; a byte order mark counts. */
  readonly byte: number;
  /** Counted from 1. */
  readonly line: number;
  /** In bytes, counted from 1. */
  readonly column: number;
}

/** Something in JSON text is refused; the sentence says where. */
export class JsonRefusal extends Refusal {
  readonly position: JsonPosition;

  constructor(
    code: RefusalCode,
    sentence: string,
    position: JsonPosition,
    options?: { readonly cause: unknown },
  ) {
    const { byte, line, column } = position;
    super(code, `${sentence.replace(/\.$/, '')}, at line ${line}, column ${column} (byte ${byte}).`, options);
    this.name = 'JsonRefusal';
    this.position = position;
  }
}
