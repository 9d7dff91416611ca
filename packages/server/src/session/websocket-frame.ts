import { splitMessage } from '@hearth/core/wire/chunk.ts';

/** First byte of a text frame that is a whole message of the WebSocket protocol (RFC 6455, 5.2). */
const FINAL_TEXT = 0x81;
const LENGTH_16 = 126;
const LENGTH_64 = 127;

/**
 * A message as the bytes a server writes to a socket: one unmasked text frame, or one for the count and one for each
 * segment. The same for every connection, which is why the frames are not left to a library that would build them
 * again for each. Server frames of RFC 6455 are a length and the text.
 */
export function encodeWebSocketMessage(text: string): Buffer {
  const segments = splitMessage(text);
  const only = segments[0];
  if (only !== undefined && segments.length === 1) return encodeTextFrame(only);
  return Buffer.concat(segments.map(encodeTextFrame));
}

function encodeTextFrame(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const headerLength = length < LENGTH_16 ? 2 : length < 0x10000 ? 4 : 10;
  const frame = Buffer.allocUnsafe(headerLength + length);
  frame[0] = FINAL_TEXT;
  if (headerLength === 2) frame[1] = length;
  else if (headerLength === 4) {
    frame[1] = LENGTH_16;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = LENGTH_64;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  frame.write(text, headerLength, 'utf8');
  return frame;
}
