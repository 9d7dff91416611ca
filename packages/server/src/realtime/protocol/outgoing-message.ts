import { splitMessage } from '@hearth/core/wire/frames.ts';
import type { OutgoingMessage } from '../../storage/transaction/outgoing-message.ts';

/** First byte of a text frame that contains a whole message of the WebSocket protocol (RFC 6455, 5.2). */
const FINAL_TEXT = 0x81;
const LENGTH_16 = 126;
const LENGTH_64 = 127;

/**
 * Returns a message as the bytes that a server writes to a socket: one unmasked text frame, or one frame for
 * the count and one for each segment. The bytes are the same for every connection, and a library would encode
 * them again for each. A server frame of RFC 6455 is a header with the length, and the text.
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

/** Larger results are not cached, so that they do not stay in memory after their transaction. */
const MAX_STORED_BYTES = 65_536;

let lastMessages: readonly OutgoingMessage[] = [];
let lastBytes: Buffer = Buffer.alloc(0);

/**
 * Returns the messages of one transaction for one connection as the bytes of one write. Connections with the
 * same listens get the same messages one after the other, so the last result is cached.
 */
export function joinMessages(messages: readonly OutgoingMessage[]): Buffer {
  const only = messages[0];
  if (only !== undefined && messages.length === 1) return only.bytes(encodeWebSocketMessage);
  if (isSame(messages, lastMessages)) return lastBytes;
  const bytes = Buffer.concat(messages.map((message) => message.bytes(encodeWebSocketMessage)));
  if (bytes.length <= MAX_STORED_BYTES) {
    lastMessages = messages;
    lastBytes = bytes;
  }
  return bytes;
}

function isSame(a: readonly OutgoingMessage[], b: readonly OutgoingMessage[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
