/**
 * Bytes of a text whose byte order is the order of its UTF-16 code units. Each unit is written as UTF-8 writes a code point
 * of its size, so surrogates take three bytes each and lone ones survive; texts without them are plain UTF-8.
 */
export function encodeUtf16Bytes(text: string): Buffer {
  const bytes = Buffer.allocUnsafe(utf16BytesLength(text));
  writeUtf16Bytes(text, bytes, 0);
  return bytes;
}

export function utf16BytesLength(text: string): number {
  let length = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit >= 0x80) length += unit < 0x800 ? 1 : 2;
  }
  return length;
}

/** Writes into `target` from `offset` on, where `utf16BytesLength` bytes must fit. */
export function writeUtf16Bytes(text: string, target: Buffer, offset: number): void {
  let at = offset;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) {
      target[at++] = unit;
    } else if (unit < 0x800) {
      target[at++] = 0xc0 | (unit >> 6);
      target[at++] = 0x80 | (unit & 0x3f);
    } else {
      target[at++] = 0xe0 | (unit >> 12);
      target[at++] = 0x80 | ((unit >> 6) & 0x3f);
      target[at++] = 0x80 | (unit & 0x3f);
    }
  }
}

/** The text that was encoded into the bytes from `start` to `end`. */
export function decodeUtf16Bytes(bytes: Buffer, start: number, end: number): string {
  for (let at = start; at < end; at += 1) if ((bytes[at] ?? 0) >= 0x80) return decodeUnits(bytes, start, end);
  return bytes.toString('latin1', start, end);
}

function decodeUnits(bytes: Buffer, start: number, end: number): string {
  const units: string[] = [];
  let at = start;
  while (at < end) {
    const first = bytes[at++] ?? 0;
    if (first < 0x80) units.push(String.fromCharCode(first));
    else if (first < 0xe0)
      units.push(String.fromCharCode(((first & 0x1f) << 6) | ((bytes[at++] ?? 0) & 0x3f)));
    else {
      const middle = (bytes[at++] ?? 0) & 0x3f;
      const last = (bytes[at++] ?? 0) & 0x3f;
      units.push(String.fromCharCode(((first & 0x0f) << 12) | (middle << 6) | last));
    }
  }
  return units.join('');
}
