import { crc32, deflateSync } from 'node:zlib';

/** The parts of a PNG image that a test may change. */
export interface PngParts {
  readonly width?: number;
  readonly height?: number;
  /** Depth, color type, compression, filter and interlacing. */
  readonly kind?: readonly number[];
  readonly pixels?: Buffer;
  /** Chunks before the pixels. */
  readonly more?: readonly Buffer[];
}

export function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** Returns a PNG image; without parts, a gray square of 16 pixels. */
export function createPng({
  width = 16,
  height = 16,
  kind = [8, 0, 0, 0, 0],
  ...parts
}: PngParts = {}): Buffer {
  const { pixels = Buffer.alloc(height * (1 + width)), more = [] } = parts;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  Buffer.from(kind).copy(header, 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    ...more,
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

export function dataUrl(file: Buffer): string {
  return `data:image/png;base64,${file.toString('base64')}`;
}
