import type { Argon2Input } from './argon2.ts';
import { deriveBcrypt } from './bcrypt.ts';
import { deriveIteratedDigest, type IteratedDigestParameters } from './iterated-digest.ts';
import { type Argon2Variant, type Argon2Version, deriveScriptedArgon2 } from './scripted-argon2.ts';

/** Work that would keep the event loop waiting, because Node has no asynchronous form of it. */
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

export function runThreadTask(task: ThreadTask): Uint8Array {
  switch (task.kind) {
    case 'bcrypt':
      return deriveBcrypt(task.password, task.stored);
    case 'digest':
      return deriveIteratedDigest(task.password, task.salt, task.parameters);
    case 'argon2':
      return deriveScriptedArgon2(task.variant, task.version, task.input);
    default:
      return task satisfies never;
  }
}
