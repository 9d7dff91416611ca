import type { Client } from '../client/client.ts';
import type { Json } from '../client/json.ts';

const MESSAGES_PER_UPDATE = 300;
const OUTSTANDING_UPDATES = 6;
const MESSAGE_EVERY_MS = 1_000;
const JITTER_MS = 5_000;

/** Key of the message with a number; keys sort like their numbers. */
export function messageKey(number: number): string {
  return `-Nchat${String(number).padStart(14, '0')}`;
}

/** Writes `count` chat messages of three fields below `path`, some hundred in each multi-path update. Throws when one is refused. */
export async function loadChatMessages(client: Client, path: string, count: number): Promise<void> {
  let next = 0;
  const writeInTurn = async (): Promise<void> => {
    while (next < count) {
      const first = next;
      next = Math.min(count, next + MESSAGES_PER_UPDATE);
      const messages: Record<string, Json> = {};
      for (let number = first; number < next; number += 1) messages[messageKey(number)] = chatMessage(number);
      await client.must('m', { p: path, d: messages });
    }
  };
  await Promise.all(Array.from({ length: OUTSTANDING_UPDATES }, writeInTurn));
}

/** The message with a number: three fields, in the order of their names. */
export function chatMessage(number: number): Json {
  // Clocks differ between clients: the order by time is nearly, not exactly, the order by key.
  const jitterMs = Math.imul(number, 2_654_435_761 | 0) >>> 0;
  return {
    author: `user${number % 997}`,
    text: `message number ${number}, about as long as what people say`,
    ts: 1_700_000_000_000 + number * MESSAGE_EVERY_MS + (jitterMs % JITTER_MS),
  };
}
