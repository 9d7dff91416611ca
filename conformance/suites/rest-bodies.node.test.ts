import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, inject, test } from 'vitest';

/** More bytes than the buffers of two sockets hold. */
const BODY_BYTES = 40 * 2 ** 20;

/**
 * Sends a whole request before it reads anything, as simple clients do; resolves to the first line of the response.
 */
async function sendThenRead(method: string, path: string, body: Buffer): Promise<string> {
  const { hostname, port } = new URL(inject('serverUrl'));
  const socket = connect(Number(port), hostname);
  socket.pause();
  await once(socket, 'connect');
  socket.write(`${method} ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${body.length}\r\n\r\n`);
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.write(body, () => resolve());
  });
  socket.resume();
  const [bytes] = await once(socket, 'data');
  socket.destroy();
  return String(bytes).split('\r\n', 1).join('');
}

test.each([
  ['PUT', '/bad.json?ns=bodies', 'not JSON'],
  ['POST', '/bad.json?ns=bodies', 'not JSON'],
  ['PUT', '/bad.json?ns=bodies&writeSizeLimit=tiny', '"'],
  ['PUT', '/bad.json?ns=bodies&auth=garbage', '"'],
])(
  '[H65] %s %s is answered although the client reads nothing before it has sent everything',
  async (method, path, start) => {
    const body = Buffer.alloc(BODY_BYTES, 0x20);
    body.write(start);
    expect(await sendThenRead(method, path, body)).toMatch(/^HTTP\/1\.1 40[01] /);
  },
);
