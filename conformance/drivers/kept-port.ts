import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below those that systems give to whoever asks for any. */
const FIRST_PORT = 20_000;
const PORTS = 10_000;

/** A free port that nobody else gets by chance while its server is down for a moment. */
export async function findKeptPort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + randomInt(PORTS);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const bound = new Promise<boolean>((resolve) => {
    server.once('listening', () => resolve(true)).once('error', () => resolve(false));
  });
  server.listen(port, '127.0.0.1');
  if (!(await bound)) return false;
  server.close();
  await once(server, 'close');
  return true;
}
