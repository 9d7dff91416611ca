import { Refusal } from '@hearth/core/fault/refusal.ts';
import { withoutByteOrderMark } from '@hearth/core/tree/byte-order-mark.ts';
import type { PublicationRequest } from '../database/publication-request.ts';
import { MAX_VERSION_MESSAGE } from '../database/rule-versions.ts';
import type { ApiRequest } from './api-request.ts';
import { mustKnowParameters } from './explorer-parameters.ts';
import { parseBody, readBodyText } from './request-body.ts';

/** Longest body in bytes. The longest rules have an eighth of that; as a JSON string they may be longer. */
export const MAX_RULES_BODY_BYTES = 2_097_152;

/** The largest id that is looked for. */
const MAX_ID = 999_999_999;

/** The members of a body that is an object. */
type Fields = ReadonlyMap<string, unknown>;

/** Reads a body that is an object. Refuses members of other names, because whoever sends one expects it to count. */
export async function readFields(request: ApiRequest, known: readonly string[]): Promise<Fields> {
  mustKnowParameters(request.query, []);
  const json = parseBody(await readBodyText(request.body, MAX_RULES_BODY_BYTES));
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw malformed(known);
  const fields = new Map(Object.entries(json));
  for (const name of fields.keys()) if (!known.includes(name)) throw malformed(known);
  return fields;
}

/** Reads `source`: rules as text, without byte order mark. */
export function parseSource(fields: Fields): string {
  const source = fields.get('source');
  // Half of a surrogate pair would not be stored as it came.
  if (typeof source === 'string' && source.isWellFormed()) return withoutByteOrderMark(source);
  throw new Refusal(
    'request/malformed',
    'The member "source" must be the rules, as a string of whole characters.',
  );
}

/** Reads `message` and `expected`, of which either may be left out. */
export function parsePublication(fields: Fields): PublicationRequest {
  const message = fields.get('message');
  if (message !== undefined && (typeof message !== 'string' || message.length > MAX_VERSION_MESSAGE))
    throw new Refusal(
      'request/malformed',
      `The member "message" must be a string of at most ${MAX_VERSION_MESSAGE} characters.`,
    );
  const expected = fields.has('expected') ? parseVersionId(fields.get('expected'), 'expected', 0) : undefined;
  return { ...(message === undefined ? {} : { message }), ...(expected === undefined ? {} : { expected }) };
}

/** Reads the id of a version, a number from `min` on. `name` is what the client calls it. */
export function parseVersionId(value: unknown, name: string, min: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= MAX_ID) return value;
  throw new Refusal('request/malformed', `"${name}" must be the id of a version, such as 7.`);
}

/** Reads the id of a version from an address. */
export function parseVersionIdText(text: string, name: string): number {
  return parseVersionId(/^[0-9]+$/.test(text) ? Number(text) : undefined, name, 1);
}

function malformed(known: readonly string[]): Refusal {
  const names = known.map((name) => `"${name}"`).join(', ');
  return new Refusal('request/malformed', `The body must be an object with nothing but ${names}.`);
}
