import { createHash } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';

const READ_BYTES = 1 << 20;

/** SHA-256 of a file in hexadecimal, and the file's length. Tells how many bytes are read. */
export async function hashFile(
  path: string,
  onBytes: (doneBytes: number, totalBytes: number) => void,
): Promise<{ readonly sha256: string; readonly bytes: number }> {
  const totalBytes = statSync(path).size;
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: READ_BYTES })) {
    hash.update(chunk);
    bytes += chunk.length;
    onBytes(bytes, totalBytes);
  }
  return { sha256: hash.digest('hex'), bytes };
}
