import { argon2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';

/** The parameters of Hearth's password hashes. */
const HASH = { memory: 19_456, parallelism: 1, tagLength: 32 };

const hashPassword = promisify(argon2);

/** A request to a `HashProcess`. */
export type HashOrder = { readonly passes: number; readonly count: number; readonly atOnce: number };

// The program of a `HashProcess`. It computes the requested number of hashes, and responds with the mean
// processor time of a hash in µs.
process.on('message', async ({ passes, count, atOnce }: HashOrder) => {
  const before = process.cpuUsage();
  let left = count;
  const hashOn = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await hashPassword('argon2id', { ...HASH, passes, message: 'correct horse', nonce: randomBytes(16) });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, hashOn));
  const { user, system } = process.cpuUsage(before);
  process.send?.((user + system) / count);
});
