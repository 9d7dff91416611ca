import { createHash } from 'node:crypto';
import { closeSync, openSync, writeSync } from 'node:fs';
import { chatMessage, messageKey } from './chat-messages.ts';

const MESSAGES_PER_ROOM = 5_000;
const PRIORITY_EVERY = 100;
const BUFFERED_CHARACTERS = 2 ** 20;

/** A file of JSON, and what tells it from others. */
export type ChatFile = { readonly path: string; readonly bytes: number; readonly sha256: string };

/**
 * Writes rooms of chat messages, some with a priority, as JSON of at least `bytes` bytes: as Hearth exports them, with
 * children in order and without spaces, so that an export of the whole can be compared byte by byte.
 */
export function writeChatFile(path: string, bytes: number): ChatFile {
  const file = openSync(path, 'w');
  const hash = createHash('sha256');
  let written = 0;
  let text = '{"rooms":{';
  const flush = (): void => {
    hash.update(text);
    written += writeSync(file, text);
    text = '';
  };
  let number = 0;
  for (let room = 0; written < bytes; room += 1) {
    text += `${room === 0 ? '' : ','}"room${String(room).padStart(6, '0')}":{"messages":{`;
    for (let place = 0; place < MESSAGES_PER_ROOM && written < bytes; place += 1) {
      text += `${place === 0 ? '' : ','}"${messageKey(number)}":${messageJson(number)}`;
      number += 1;
      if (text.length >= BUFFERED_CHARACTERS) flush();
    }
    text += `},"name":"Room \\"${room}\\""}`;
  }
  text += '}}';
  flush();
  closeSync(file);
  return { path, bytes: written, sha256: hash.digest('hex') };
}

function messageJson(number: number): string {
  const json = JSON.stringify(chatMessage(number));
  return number % PRIORITY_EVERY === 0 ? `${json.slice(0, -1)},".priority":${number}}` : json;
}
