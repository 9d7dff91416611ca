import {
  type Argon2Input,
  type Argon2Variant,
  type Argon2Version,
  deriveArgon2,
  deriveArgon2Version10,
} from './argon2.ts';
import type { IteratedDigestParameters } from './imported-hashes.ts';

/** Work that would block the event loop. */
export type ThreadTask =
  | { readonly kind: 'bcrypt'; readonly password: Uint8Array; readonly stored: Uint8Array }
  | {
      readonly kind: 'digest';
      readonly password: Uint8Array;
      readonly salt: Uint8Array;
      readonly parameters: IteratedDigestParameters;
    }
  | {
      readonly kind: 'argon2';
      readonly variant: Argon2Variant;
      readonly version: Argon2Version;
      readonly input: Argon2Input;
    };

/**
 * Runs a task. Loads code that only some imported hashes need on first use, so that the first password of a
 * server does not wait for it.
 */
export async function runThreadTask(task: ThreadTask): Promise<Uint8Array> {
  switch (task.kind) {
    case 'bcrypt': {
      const { deriveBcrypt } = await import('./imported-hashes.ts');
      return deriveBcrypt(task.password, task.stored);
    }
    case 'digest': {
      const { deriveIteratedDigest } = await import('./imported-hashes.ts');
      return deriveIteratedDigest(task.password, task.salt, task.parameters);
    }
    case 'argon2': {
      const { variant, version, input } = task;
      return version === 0x13 ? deriveArgon2(variant, input) : deriveArgon2Version10(variant, input);
    }
    default:
      return task satisfies never;
  }
}

/**
 * Returns a copy in which every byte array has its own memory. A message to another thread copies all of the
 * memory behind a view, and small buffers share memory with unrelated data.
 */
export function copyBuffers<T>(value: T): T {
  if (value instanceof Uint8Array) return new Uint8Array(value) as T & Uint8Array;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, copyBuffers(part)])) as T;
}
