import { createCipheriv, createDecipheriv } from 'node:crypto';
import { inspect } from 'node:util';
import { deriveKey, type SecretKey } from './secret-key.ts';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** First byte of a sealed secret. History: 1 is AES-256-GCM under the key derived for "sealing". */
const VERSION = 1;

/**
 * The error that is thrown when a sealed secret cannot be opened: the key or the context differs, or the
 * sealed text was changed.
 */
export class UnsealFailure extends Error {
  constructor(context: string, cause?: unknown) {
    super(`The secret "${context}" cannot be opened with this key.`, { cause });
    this.name = 'UnsealFailure';
  }
}

/**
 * Encrypts secrets for storage. Each secret is bound to a context that states its kind and its owner, so that
 * one secret cannot be substituted for another.
 */
export interface SecretBox {
  /** Returns base64url text. Make at most 2^32 calls under one key, because nonces are random. */
  seal(secret: Uint8Array | string, context: string): string;
  /** Returns the secret. Throws an `UnsealFailure` if it cannot be opened. */
  open(sealed: string, context: string): Buffer;
}

/**
 * Returns a box under a key. Layout of a sealed secret: version (1 byte), nonce (12), tag (16), ciphertext.
 * The tag also authenticates the context and the version. The box calls `onSeal` for each secret that it
 * seals.
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

  /** Returns the text itself. Call it only where the text is needed. */
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
