import { Refusal } from '@hearth/core/fault/refusal.ts';

/** Reads the id of a connection: a positive whole number. `name` is what the client calls it. */
export function parseConnectionId(text: string, name: string): number {
  const id = /^[0-9]{1,15}$/.test(text) ? Number(text) : 0;
  if (id > 0) return id;
  throw new Refusal('http/parameter', `"${name}" must be the id of a connection, such as 7.`);
}
