import { Refusal } from '@hearth/core/fault/refusal.ts';
import type { Fields } from '@hearth/core/wire/up.ts';

/** A member of a request's body that has to be a string. */
export function mustBeString(body: Fields, name: string): string {
  const value = body[name];
  if (typeof value === 'string') return value;
  throw new Refusal('request/malformed', `The request has a string "${name}".`);
}

/** A member that has to be there; `null` is a value. */
export function mustHave(body: Fields, name: string): unknown {
  if (name in body) return body[name];
  throw new Refusal('request/malformed', `The request has a member "${name}".`);
}

/** A member that may be absent. */
export function findString(body: Fields, name: string): string | undefined {
  return body[name] === undefined || body[name] === null ? undefined : mustBeString(body, name);
}

/** A member that has to be a non-negative integer if it is there. */
export function findInteger(body: Fields, name: string): number | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw new Refusal('request/malformed', `The member "${name}" of the request is a non-negative integer.`);
}

/** The hash that a write expects; absent when it expects nothing in particular. `null` is no hash. */
export function findExpectedHash(body: Fields): string | undefined {
  return body['h'] === undefined ? undefined : mustBeString(body, 'h');
}

/** The query of a request; `null` is none. */
export function findQueryObject(body: Fields): unknown {
  return body['q'] ?? undefined;
}
