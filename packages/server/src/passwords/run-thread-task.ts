import { type Argon2Input, deriveArgon2 } from './argon2.ts';
import type { IteratedDigestParameters } from './iterated-digest.ts';
import type { Argon2Variant, Argon2Version } from './scripted-argon2.ts';

/** Work that would keep the event loop waiting. */
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

/** What few imported hashes need is loaded with the first of them, so that the first password of a server need not wait for it. */
export async function runThreadTask(task: ThreadTask): Promise<Uint8Array> {
  switch (task.kind) {
    case 'bcrypt': {
      const { deriveBcrypt } = await import('./bcrypt.ts');
      return deriveBcrypt(task.password, task.stored);
    }
    case 'digest': {
      const { deriveIteratedDigest } = await import('./iterated-digest.ts');
      return deriveIteratedDigest(task.password, task.salt, task.parameters);
    }
    case 'argon2': {
      const { variant, version, input } = task;
      if (version === 0x13) return deriveArgon2(variant, input);
      const { deriveScriptedArgon2 } = await import('./scripted-argon2.ts');
      return deriveScriptedArgon2(variant, version, input);
    }
    default:
      return task satisfies never;
  }
}
