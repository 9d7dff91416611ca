import { randomFillSync, randomInt, randomUUID } from 'node:crypto';

/** Returns unpredictable bytes. */
export function randomBytes(count: number): Uint8Array {
  return randomFillSync(new Uint8Array(count));
}

/** Returns a random number from 0 to 1, 1 excluded. Use it only where the result may be predictable. */
export function chance(): number {
  return Math.random();
}

const ALPHANUMERIC = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SESSION_ID_LENGTH = 32;

/** Returns an unpredictable ID for a connection: 32 letters and digits. */
export function sessionId(): string {
  let id = '';
  for (let i = 0; i < SESSION_ID_LENGTH; i++) id += ALPHANUMERIC.charAt(randomInt(ALPHANUMERIC.length));
  return id;
}

/** Returns a random UUID, version 4. */
export function uuid(): string {
  return randomUUID();
}
