import type { Writable } from 'node:stream';
import { styleText } from 'node:util';

/** What is said by a colour, where there are colours. */
export type Colour = 'green' | 'red' | 'yellow' | 'dim' | 'bold';

export type Paint = (colour: Colour, text: string) => string;

/** For files, pipes and tests. */
export const PLAIN: Paint = (_colour, text) => text;

/** Colours if the stream is a terminal that takes them. */
export function paintFor(stream: Writable & { readonly isTTY?: boolean }): Paint {
  return stream.isTTY === true ? (colour, text) => styleText(colour, text, { stream }) : PLAIN;
}
