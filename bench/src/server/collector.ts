import { WebSocket } from 'ws';
import { isRecord } from '../client/json.ts';
import type { ServerCommand } from './command.ts';
import { findFreePort } from './server-process.ts';

const ANSWER_LIMIT_MS = 30_000;

/**
 * A command whose process accepts requests to collect its garbage, through Node's inspector at a loopback port.
 */
export type CollectableCommand = { readonly command: ServerCommand; readonly inspectorPort: number };

/** Adds Node's inspector to a command, on a free loopback port. */
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

/** Makes a process collect its garbage, so that its memory can be compared with that of another process. */
export async function collectGarbage(inspectorPort: number): Promise<void> {
  const targets: unknown = await (await fetch(`http://127.0.0.1:${inspectorPort}/json/list`)).json();
  const target: unknown = Array.isArray(targets) ? targets[0] : undefined;
  const url = isRecord(target) ? target['webSocketDebuggerUrl'] : undefined;
  if (typeof url !== 'string') throw new Error('the inspector lists no process');
  const socket = new WebSocket(url, { handshakeTimeout: ANSWER_LIMIT_MS });
  try {
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('the inspector did not respond')), ANSWER_LIMIT_MS);
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
