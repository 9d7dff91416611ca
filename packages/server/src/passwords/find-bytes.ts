/** The bytes of a text in base64 of either alphabet, with or without padding; `undefined` for another text. */
export function findBytes(text: string): Uint8Array | undefined {
  return /^[\w+/-]*={0,2}$/.test(text) ? Buffer.from(text, 'base64') : undefined;
}
