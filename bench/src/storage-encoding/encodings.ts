import { Packr } from 'msgpackr';
import type { Sample } from './data.ts';

/** How a small subtree becomes the bytes of one entry. */
export interface BlobForm {
  encode(sample: Sample): Buffer;
  decode(bytes: Uint8Array): Sample;
  /** The JSON text a client is sent, from the stored bytes. */
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

/** An encoding to compare: a subtree of at most `boundBytes` is one entry; 0 makes every leaf an entry. */
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
