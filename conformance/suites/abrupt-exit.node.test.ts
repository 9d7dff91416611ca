import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { recordValues, untilValue } from '../drivers/event-log.ts';
import { openNamespace } from '../drivers/namespace.ts';
import { freshRef, openClient, pathOf } from '../drivers/sdk.ts';
import { NODE_BINARY } from '../drivers/server-process.ts';

describe('onDisconnect', () => {
  test("[S210] the server notices that a client's process was killed, and performs the client's onDisconnect writes", async () => {
    const ns = await openNamespace();
    const at = freshRef(openClient(ns));
    const log = recordValues(at);
    const script = join(import.meta.dirname, '../drivers/leaving-client.ts');
    const client = spawn(NODE_BINARY, [script, inject('serverUrl'), ns, pathOf(at)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void client.kill('SIGKILL'));
    const [line] = await once(client.stdout, 'data');
    expect(String(line)).toBe('registered\n');
    await untilValue(log, 'online');
    client.kill('SIGKILL');
    await untilValue(log, 'offline');
  });
});
