import { Packr } from 'msgpackr';

/** An object as a client would store it. Its leaves are strings and numbers. */
export type Sample = { readonly [key: string]: string | number };

const BASE_TIME_MS = 1_700_000_000_000;
const DOCUMENT_FIELDS = 40;

/** Returns a key of the length and the order of a push id. */
export function pushKeyAt(index: number): string {
  return `-N${String(index).padStart(18, '0')}`;
}

/** Returns a chat message of about 135 bytes of JSON. */
export function messageAt(index: number): Sample {
  return {
    author: `user-${String(index % 5000).padStart(23, '0')}`,
    text: `message ${index} `.padEnd(60, 'lorem ipsum '),
    ts: BASE_TIME_MS + index,
  };
}

/**
 * Returns an object of forty fields and about 1.4 kB of JSON, which shows the effect of `boundBytes`.
 */
export function documentAt(index: number): Sample {
  const fields: [string, string][] = [];
  for (let field = 0; field < DOCUMENT_FIELDS; field += 1) {
    fields.push([`field-${String(field).padStart(2, '0')}`, `value ${index} of field ${field}`]);
  }
  return Object.fromEntries(fields);
}

/** The encoding of a small subtree as the bytes of one entry. */
export interface BlobForm {
  encode(sample: Sample): Buffer;
  decode(bytes: Uint8Array): Sample;
  /** Returns the JSON text that a client receives, from the stored bytes. */
  jsonText(bytes: Uint8Array): string;
}

const packr = new Packr({ useRecords: false });

export const BLOB_FORMS = {
  json: {
    encode: (sample) => Buffer.from(JSON.stringify(sample)),
    decode: (bytes) => JSON.parse(asBuffer(bytes).toString('utf8')),
    jsonText: (bytes) => asBuffer(bytes).toString('utf8'),
  },
  msgpack: {
    encode: (sample) => packr.pack(sample),
    decode: (bytes) => packr.unpack(bytes),
    jsonText: (bytes) => JSON.stringify(packr.unpack(bytes)),
  },
} as const satisfies Record<string, BlobForm>;

/** An encoding to compare: a subtree of at most `boundBytes` is one entry; with 0, every leaf is an entry. */
export interface Encoding {
  readonly name: string;
  readonly form: keyof typeof BLOB_FORMS;
  readonly boundBytes: number;
}

export const ENCODINGS: readonly Encoding[] = [
  { name: 'leaf per entry', form: 'json', boundBytes: 0 },
  { name: 'JSON, 256', form: 'json', boundBytes: 256 },
  { name: 'JSON, 1024', form: 'json', boundBytes: 1024 },
  { name: 'JSON, 2000', form: 'json', boundBytes: 2000 },
  { name: 'msgpack, 1024', form: 'msgpack', boundBytes: 1024 },
];

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
