import { randomFillSync, randomInt, randomUUID } from 'node:crypto';

/** Bytes that nobody can predict. */
export function randomBytes(count: number): Uint8Array {
  return randomFillSync(new Uint8Array(count));
}

/** A number from 0 to 1, 1 excluded; what it decides need not be hard to predict. */
export function chance(): number {
  return Math.random();
}

const ALPHANUMERIC = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SESSION_ID_LENGTH = 32;

/** The unguessable name of a connection: 32 letters and digits. */
export function sessionId(): string {
  let id = '';
  for (let i = 0; i < SESSION_ID_LENGTH; i++) id += ALPHANUMERIC.charAt(randomInt(ALPHANUMERIC.length));
  return id;
}

/** Returns a random UUID, version 4. */
export function requestId(): string {
  return randomUUID();
}
