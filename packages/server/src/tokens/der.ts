/** The part of DER (ITU-T X.690) that certificates need: each function encodes one value, with its tag and length. */

const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  objectId: 0x06,
  utf8: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
  explicit: 0xa0,
} as const;

export const DER_TRUE = encode(TAG.boolean, Uint8Array.of(0xff));
export const DER_NULL = encode(TAG.null, Uint8Array.of());

/** A whole number that is not negative, from its bytes, most significant first. */
export function derInteger(bytes: Uint8Array): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0);
  const digits = first < 0 ? Uint8Array.of(0) : bytes.subarray(first);
  // The highest bit is the sign.
  const isTaken = ((digits[0] ?? 0) & 0x80) !== 0;
  return encode(TAG.integer, isTaken ? Buffer.concat([Uint8Array.of(0), digits]) : digits);
}

/** Whole bytes; the count of unused bits at the end is given. */
export function derBitString(bytes: Uint8Array, unusedBits = 0): Buffer {
  return encode(TAG.bitString, Buffer.concat([Uint8Array.of(unusedBits), bytes]));
}

export function derOctetString(bytes: Uint8Array): Buffer {
  return encode(TAG.octetString, bytes);
}

/** An object identifier such as `2.5.4.3`. */
export function derObjectId(id: string): Buffer {
  const [first = 0, second = 0, ...others] = id.split('.').map(Number);
  return encode(TAG.objectId, Buffer.from([first * 40 + second, ...others.flatMap(base128)]));
}

export function derText(text: string): Buffer {
  return encode(TAG.utf8, Buffer.from(text));
}

/** A moment, to the second. Years from 2050 on have a form of their own. */
export function derTime(ms: number): Buffer {
  const digits = `${new Date(ms).toISOString().slice(0, 19).replace(/\D/g, '')}Z`;
  return digits < '2050'
    ? encode(TAG.utcTime, Buffer.from(digits.slice(2)))
    : encode(TAG.generalizedTime, Buffer.from(digits));
}

export function derSequence(...items: readonly Uint8Array[]): Buffer {
  return encode(TAG.sequence, Buffer.concat(items));
}

export function derSet(...items: readonly Uint8Array[]): Buffer {
  return encode(TAG.set, Buffer.concat(items));
}

/** A value under a number that says which optional part it is. */
export function derExplicit(number: number, item: Uint8Array): Buffer {
  return encode(TAG.explicit + number, item);
}

function encode(tag: number, content: Uint8Array): Buffer {
  return Buffer.concat([Uint8Array.of(tag), encodeLength(content.length), content]);
}

function encodeLength(length: number): Uint8Array {
  if (length < 0x80) return Uint8Array.of(length);
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest >>>= 8) bytes.unshift(rest & 0xff);
  return Uint8Array.of(0x80 | bytes.length, ...bytes);
}

/** Seven bits in a byte, most significant first; all but the last are marked. */
function base128(number: number): readonly number[] {
  const bytes = [number & 0x7f];
  for (let rest = number >>> 7; rest > 0; rest >>>= 7) bytes.unshift(0x80 | (rest & 0x7f));
  return bytes;
}
