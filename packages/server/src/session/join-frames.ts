import type { Frame } from '../commit/frame.ts';
import { encodeWebSocketMessage } from './websocket-frame.ts';

/** Larger results are not kept, so that none outlives its turn by much. */
const MAX_KEPT_BYTES = 65_536;

let lastFrames: readonly Frame[] = [];
let lastBytes: Buffer = Buffer.alloc(0);

/**
 * The messages of one turn for one connection as the bytes of one write. Connections that listen to the same get the same
 * messages one after the other, so the last result is kept and reused.
 */
export function joinFrames(frames: readonly Frame[]): Buffer {
  const only = frames[0];
  if (only !== undefined && frames.length === 1) return only.bytes(encodeWebSocketMessage);
  if (isSame(frames, lastFrames)) return lastBytes;
  const bytes = Buffer.concat(frames.map((frame) => frame.bytes(encodeWebSocketMessage)));
  if (bytes.length <= MAX_KEPT_BYTES) {
    lastFrames = frames;
    lastBytes = bytes;
  }
  return bytes;
}

function isSame(a: readonly Frame[], b: readonly Frame[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
