import { WebSocket } from 'ws';
import { isRecord } from '../client/json.ts';
import type { ServerCommand } from './command.ts';
import { findFreePort } from './server-process.ts';

const ANSWER_LIMIT_MS = 30_000;

/** A command whose process can be asked by Node's own inspector to collect its garbage; the server itself knows nothing of it. */
export type CollectableCommand = { readonly command: ServerCommand; readonly inspectorPort: number };

/** Adds Node's inspector, on a free loopback port, to a command. */
export async function withCollector(command: ServerCommand): Promise<CollectableCommand> {
  const inspectorPort = await findFreePort();
  return {
    command: {
      name: command.name,
      arguments: [`--inspect=127.0.0.1:${inspectorPort}`, ...command.arguments],
    },
    inspectorPort,
  };
}

/** Makes a process collect its garbage now, so that what it holds can be compared with what another one holds. */
export async function collectGarbage(inspectorPort: number): Promise<void> {
  const targets: unknown = await (await fetch(`http://127.0.0.1:${inspectorPort}/json/list`)).json();
  const target: unknown = Array.isArray(targets) ? targets[0] : undefined;
  const url = isRecord(target) ? target['webSocketDebuggerUrl'] : undefined;
  if (typeof url !== 'string') throw new Error('the inspector names no process');
  const socket = new WebSocket(url, { handshakeTimeout: ANSWER_LIMIT_MS });
  try {
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('the inspector does not answer')), ANSWER_LIMIT_MS);
      socket.on('error', reject);
      socket.on('open', () => socket.send('{"id":1,"method":"HeapProfiler.collectGarbage"}'));
      socket.on('message', () => {
        clearTimeout(timer);
        resolve();
      });
    });
  } finally {
    socket.terminate();
  }
}
