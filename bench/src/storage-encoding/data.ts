/** An object as a client would store it: leaves are strings and numbers. */
export type Sample = { readonly [key: string]: string | number };

const BASE_TIME_MS = 1_700_000_000_000;
const DOCUMENT_FIELDS = 40;

/** A key of the length and order of a push id. */
export function pushKeyAt(index: number): string {
  return `-N${String(index).padStart(18, '0')}`;
}

/** A chat message of about 135 bytes as JSON. */
export function messageAt(index: number): Sample {
  return {
    author: `user-${String(index % 5000).padStart(23, '0')}`,
    text: `message ${index} `.padEnd(60, 'lorem ipsum '),
    ts: BASE_TIME_MS + index,
  };
}

/** An object of forty fields and about 1.4 kB as JSON, to see what the bound on a blob does. */
export function documentAt(index: number): Sample {
  const fields: [string, string][] = [];
  for (let field = 0; field < DOCUMENT_FIELDS; field += 1) {
    fields.push([`field-${String(field).padStart(2, '0')}`, `value ${index} of field ${field}`]);
  }
  return Object.fromEntries(fields);
}
