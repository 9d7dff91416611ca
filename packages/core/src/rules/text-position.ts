/** A place in a text as people name it; both count from 1. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** The place of an offset in UTF-16 units. */
export function textPosition(source: string, offset: number): TextPosition {
  const before = source.slice(0, offset);
  const lines = before.split('\n').length;
  return { line: lines, column: offset - before.lastIndexOf('\n') };
}
