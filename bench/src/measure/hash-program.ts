import { argon2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';

/** As Hearth hashes passwords. */
const HASH = { memory: 19_456, parallelism: 1, tagLength: 32 };

const hashPassword = promisify(argon2);

/** What a `HashProcess` asks for. */
export type HashOrder = { readonly passes: number; readonly count: number; readonly atOnce: number };

// The program of a `HashProcess`: is told how many hashes to compute, and answers with the processor time of each in µs.
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
