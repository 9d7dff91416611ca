import type { Frame } from '../commit/frame.ts';
import { pushEvent, type StreamForm } from './event-stream-text.ts';

/** Events by the form and by how much of the path of the push is that of the place: at most 33 places times two forms. */
const events = new WeakMap<Frame, Map<string, Buffer>>();

/** The event of a push as bytes, made once for all streams of one place; empty when the push shows nothing. */
export function pushEventBytes(push: Frame, placeLength: number, form: StreamForm): Buffer {
  let known = events.get(push);
  if (known === undefined) {
    known = new Map();
    events.set(push, known);
  }
  const name = `${form} ${placeLength}`;
  let bytes = known.get(name);
  if (bytes === undefined) {
    bytes = Buffer.from(pushEvent(push.text, placeLength, form));
    known.set(name, bytes);
  }
  return bytes;
}
