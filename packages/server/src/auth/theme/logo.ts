import { crc32, inflateSync } from 'node:zlib';
import { MAX_LOGO_BYTES, MAX_LOGO_PIXELS, MIN_LOGO_PIXELS } from '@hearth/core/api/page-theme.ts';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const PREFIX = 'data:image/png;base64,';
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** The chunks that determine the pixels. All others, such as texts, places and animations, are dropped. */
const KEPT: ReadonlySet<string> = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']);
/** Samples of a pixel and bits of a sample, by color type. */
const FORMATS: ReadonlyMap<number, { readonly samples: number; readonly depths: readonly number[] }> =
  new Map([
    [0, { samples: 1, depths: [1, 2, 4, 8, 16] }],
    [2, { samples: 3, depths: [8, 16] }],
    [3, { samples: 1, depths: [1, 2, 4, 8] }],
    [4, { samples: 2, depths: [8, 16] }],
    [6, { samples: 4, depths: [8, 16] }],
  ]);
/** The color type whose pixels are places in a palette. */
const INDEXED = 3;

/** Thrown for a file that cannot be a logo. The message continues a sentence that begins with the name of the setting. */
export class InvalidLogo extends Error {
  constructor(problem: string, options?: ErrorOptions) {
    super(problem, options);
    this.name = 'InvalidLogo';
  }
}

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
  /** The whole chunk, with its length and checksum. */
  readonly bytes: Buffer;
}

/**
 * Returns the `data:` URL of a PNG image, written again with only the chunks of its pixels. Throws `InvalidLogo` for other texts,
 * and for images that are too large or damaged.
 */
export function parseLogo(text: string): string {
  const encoded = text.slice(PREFIX.length);
  if (!text.startsWith(PREFIX) || !BASE64.test(encoded))
    throw new InvalidLogo('must be a PNG image as a data: URL in base64');
  if (encoded.length > Math.ceil(MAX_LOGO_BYTES / 3) * 4)
    throw new InvalidLogo(`must have at most ${MAX_LOGO_BYTES} bytes`);
  const chunks = readChunks(Buffer.from(encoded, 'base64'));
  requirePixels(chunks);
  const kept = chunks.filter(({ type }) => KEPT.has(type)).map(({ bytes }) => bytes);
  return `${PREFIX}${Buffer.concat([SIGNATURE, ...kept]).toString('base64')}`;
}

function readChunks(file: Buffer): readonly Chunk[] {
  if (!file.subarray(0, SIGNATURE.length).equals(SIGNATURE)) throw new InvalidLogo('must be a PNG image');
  const chunks: Chunk[] = [];
  let at = SIGNATURE.length;
  while (at < file.length) {
    const end = at + 12 <= file.length ? at + 12 + file.readUInt32BE(at) : Number.POSITIVE_INFINITY;
    if (end > file.length || crc32(file.subarray(at + 4, end - 4)) !== file.readUInt32BE(end - 4))
      throw new InvalidLogo('is a damaged PNG image');
    const bytes = file.subarray(at, end);
    chunks.push({ type: bytes.toString('latin1', 4, 8), data: bytes.subarray(8, -4), bytes });
    at = end;
  }
  return chunks;
}

/** Throws unless the chunks are one image, in a size that is allowed, with all its pixels. */
function requirePixels(chunks: readonly Chunk[]): void {
  const types = chunks.map(({ type }) => type);
  const header = chunks[0]?.data;
  const isOnce = ['IHDR', 'IEND'].every((type) => types.filter((other) => other === type).length === 1);
  if (header?.length !== 13 || types[0] !== 'IHDR' || types.at(-1) !== 'IEND' || !isOnce)
    throw new InvalidLogo('is a damaged PNG image');
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const isSize = (pixels: number) => pixels >= MIN_LOGO_PIXELS && pixels <= MAX_LOGO_PIXELS;
  if (!isSize(width) || !isSize(height))
    throw new InvalidLogo(`must be from ${MIN_LOGO_PIXELS} to ${MAX_LOGO_PIXELS} pixels wide and high`);
  const [depth = 0, color = 0, compression, filter, interlacing] = header.subarray(8);
  const format = FORMATS.get(color);
  // An unknown chunk whose name begins with a capital letter changes how the pixels are read.
  const isUnknown = types.some((type) => /^[A-Z]/.test(type) && !KEPT.has(type));
  const isPossible = format?.depths.includes(depth) === true && compression === 0 && filter === 0;
  if (format === undefined || !isPossible || isUnknown)
    throw new InvalidLogo('is a PNG image of an unknown kind');
  if (color === INDEXED && !types.includes('PLTE')) throw new InvalidLogo('is a damaged PNG image');
  if (interlacing !== 0) throw new InvalidLogo('must be a PNG image without interlacing');
  const expectedBytes = height * (1 + Math.ceil((width * format.samples * depth) / 8));
  const packed = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data));
  if (inflatedLength(packed, expectedBytes) !== expectedBytes)
    throw new InvalidLogo('is a damaged PNG image');
}

/** Returns the length of inflated data. Throws `InvalidLogo` if the data is damaged or longer than expected. */
function inflatedLength(packed: Buffer, expectedBytes: number): number {
  try {
    return inflateSync(packed, { maxOutputLength: expectedBytes }).length;
  } catch (cause) {
    throw new InvalidLogo('is a damaged PNG image', { cause });
  }
}
