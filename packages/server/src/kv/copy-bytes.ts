/** Up to this length, copying byte by byte is faster than to ask the platform for it. */
const MAX_COPIED_SINGLY = 64;

/** As `source.copy(target, offset, start, end)` where all of it fits, and faster for the few bytes of names and values. */
export function copyBytes(source: Buffer, start: number, end: number, target: Buffer, offset: number): void {
  const length = end - start;
  if (length > MAX_COPIED_SINGLY) source.copy(target, offset, start, end);
  else for (let at = 0; at < length; at += 1) target[offset + at] = source[start + at] ?? 0;
}
