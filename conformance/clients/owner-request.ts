import { inject } from 'vitest';
import { type Json, parseJson } from '../drivers/json.ts';

/** A response of the server, with its body as JSON. */
export interface OwnerAnswer {
  readonly status: number;
  readonly body: Json;
}

/** Sends a request to the server under test as the owner of the emulator. `body` is sent unchanged. */
export async function ownerRequest(method: string, target: string, body?: string): Promise<OwnerAnswer> {
  const answer = await fetch(inject('serverUrl') + target, {
    method,
    headers: { authorization: 'Bearer owner' },
    ...(body === undefined ? {} : { body }),
  });
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? null : parseJson(text) };
}

/** Returns the value at a path such as `/rooms`. Throws if it cannot be read. */
export async function readData(database: string, path: string): Promise<Json> {
  const { status, body } = await ownerRequest('GET', `${path}.json?ns=${database}`);
  if (status !== 200) throw new Error(`${path} cannot be read: ${JSON.stringify(body)}`);
  return body;
}

/** Replaces the value at a path. Throws if it cannot be written. */
export async function writeData(database: string, path: string, value: Json): Promise<void> {
  const { status, body } = await ownerRequest('PUT', `${path}.json?ns=${database}`, JSON.stringify(value));
  if (status !== 200) throw new Error(`${path} cannot be written: ${JSON.stringify(body)}`);
}
