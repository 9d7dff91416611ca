import { createHash } from 'node:crypto';
import { closeSync, openSync, writeSync } from 'node:fs';
import type { Client } from '../client/client.ts';
import type { Json } from '../client/json.ts';

const MESSAGES_PER_UPDATE = 300;
const OUTSTANDING_UPDATES = 6;
const MESSAGE_EVERY_MS = 1_000;
const JITTER_MS = 5_000;

/** Returns the key of a message. Keys sort like their numbers. */
export function messageKey(number: number): string {
  return `-Nchat${String(number).padStart(14, '0')}`;
}

/**
 * Writes `count` chat messages of three fields below `path`, several hundred in each multi-path update.
 * Throws if one is rejected.
 */
export async function loadChatMessages(client: Client, path: string, count: number): Promise<void> {
  let next = 0;
  const writeInOrder = async (): Promise<void> => {
    while (next < count) {
      const first = next;
      next = Math.min(count, next + MESSAGES_PER_UPDATE);
      const messages: Record<string, Json> = {};
      for (let number = first; number < next; number += 1) messages[messageKey(number)] = chatMessage(number);
      await client.must('m', { p: path, d: messages });
    }
  };
  await Promise.all(Array.from({ length: OUTSTANDING_UPDATES }, writeInOrder));
}

/** Returns a message: three fields, ordered by name. */
function chatMessage(number: number): Json {
  // Clocks differ between clients, so the order by time is almost, but not exactly, the order by key.
  const jitterMs = Math.imul(number, 2_654_435_761 | 0) >>> 0;
  return {
    author: `user${number % 997}`,
    text: `message number ${number}, about as long as what people say`,
    ts: 1_700_000_000_000 + number * MESSAGE_EVERY_MS + (jitterMs % JITTER_MS),
  };
}

const MESSAGES_PER_ROOM = 5_000;
const PRIORITY_EVERY = 100;
const BUFFERED_CHARACTERS = 2 ** 20;

/** A file of JSON with its size and digest. */
export type ChatFile = { readonly path: string; readonly bytes: number; readonly sha256: string };

/**
 * Writes rooms of chat messages, some with a priority, as JSON of at least `bytes` bytes. The format is the
 * one that Hearth exports, with ordered children and without spaces, so that an export can be compared byte
 * by byte.
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
    for (let index = 0; index < MESSAGES_PER_ROOM && written < bytes; index += 1) {
      text += `${index === 0 ? '' : ','}"${messageKey(number)}":${messageJson(number)}`;
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
