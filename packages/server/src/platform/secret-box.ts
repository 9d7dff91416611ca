import { createCipheriv, createDecipheriv } from 'node:crypto';
import { inspect } from 'node:util';
import { deriveKey, type SecretKey } from './secret-key.ts';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** First byte of what is sealed. History: 1 is AES-256-GCM under the key derived for "sealing". */
const VERSION = 1;

/** What was sealed cannot be opened: the key or the context is another one, or it was changed. */
export class UnsealFailure extends Error {
  constructor(context: string, cause?: unknown) {
    super(`The secret "${context}" cannot be opened with this key.`, { cause });
    this.name = 'UnsealFailure';
  }
}

/**
 * Keeps secrets at rest: encrypted, and bound to a context that says what they are and whose, so that one cannot be put
 * in the place of another.
 */
export interface SecretBox {
  /** Base64url text. At most 2^32 calls under one key, because nonces are random. */
  seal(secret: Uint8Array | string, context: string): string;
  /** Throws an `UnsealFailure`. */
  open(sealed: string, context: string): Buffer;
}

/**
 * A box under a key. Shape of what is sealed: version (1 byte), nonce (12), tag (16), ciphertext; the context and the
 * version are authenticated with it. `onSeal` is told of each secret that is sealed.
 */
export function secretBox(
  key: SecretKey,
  randomBytes: (count: number) => Uint8Array,
  onSeal: () => void = () => {},
): SecretBox {
  const sealingKey = deriveKey(key, 'sealing');
  return {
    seal(secret, context) {
      onSeal();
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, sealingKey, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(authenticated(context));
      const ciphertext = Buffer.concat([cipher.update(Buffer.from(secret)), cipher.final()]);
      return Buffer.concat([Uint8Array.of(VERSION), nonce, cipher.getAuthTag(), ciphertext]).toString(
        'base64url',
      );
    },
    open(sealed, context) {
      const bytes = Buffer.from(sealed, 'base64url');
      if (bytes[0] !== VERSION || bytes.length < 1 + NONCE_BYTES + TAG_BYTES)
        throw new UnsealFailure(context);
      const nonce = bytes.subarray(1, 1 + NONCE_BYTES);
      const tag = bytes.subarray(1 + NONCE_BYTES, 1 + NONCE_BYTES + TAG_BYTES);
      const decipher = createDecipheriv(CIPHER, sealingKey, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(authenticated(context)).setAuthTag(tag);
      const opened = decipher.update(bytes.subarray(1 + NONCE_BYTES + TAG_BYTES));
      try {
        return Buffer.concat([opened, decipher.final()]);
      } catch (cause) {
        throw new UnsealFailure(context, cause);
      }
    },
  };
}

function authenticated(context: string): Buffer {
  return Buffer.concat([Uint8Array.of(VERSION), Buffer.from(context)]);
}

const REDACTED = '[secret]';

/** A text that does not appear in logs, messages or JSON by accident: it prints as `[secret]`. */
export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** The text itself, for the one place that needs it. */
  reveal(): string {
    return this.#text;
  }

  toString(): string {
    return REDACTED;
  }

  toJSON(): string {
    return REDACTED;
  }

  [inspect.custom](): string {
    return REDACTED;
  }
}
