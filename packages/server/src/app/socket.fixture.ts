import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import type { Serving } from './serving.fixture.ts';

/**
 * Opens a client that sends protocol messages directly. `until` resolves with the first matching message so far or
 * later; the end of the connection counts as the message `{ a: 'closed' }`.
 */
export async function openSocket(serving: Serving, token: string, database = 'shop') {
  const socket = new WebSocket(`${serving.app.url.replace('http', 'ws')}/.ws?v=5&ns=${database}`);
  onTestFinished(() => socket.terminate());
  const messages: { readonly [name: string]: unknown }[] = [];
  const waiting: (() => void)[] = [];
  socket.on('message', (data) => {
    messages.push(JSON.parse(String(data)).d);
    for (const wake of waiting.splice(0)) wake();
  });
  socket.on('close', () => {
    messages.push({ a: 'closed' });
    for (const wake of waiting.splice(0)) wake();
  });
  const until = async (matches: (message: { readonly [name: string]: unknown }) => boolean) => {
    for (;;) {
      const found = messages.find(matches);
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
  };
  let id = 0;
  const ask = async (action: string, body: unknown): Promise<Readonly<Record<string, unknown>>> => {
    const r = ++id;
    socket.send(JSON.stringify({ t: 'd', d: { r, a: action, b: body } }));
    return Object((await until((message) => message['r'] === r))['b']);
  };
  await once(socket, 'message');
  const authenticated = await ask('auth', { cred: token });
  return { ask, authenticated, until };
}
