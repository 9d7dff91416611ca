import type { Logger } from '../ops/logger.ts';
import type { SigningKeys } from './signing-keys.ts';

/** How often it is asked whether a key is due. */
const INTERVAL_MS = 3_600_000;

/** Replaces signing keys when they are due, until it is disposed of. A failure is tried again an hour later. */
export class KeyRotation implements Disposable {
  readonly #timer: NodeJS.Timeout;

  constructor(keys: Pick<SigningKeys, 'rotateIfDue'>, logger: Logger) {
    this.#timer = setInterval(() => void rotate(keys, logger), INTERVAL_MS);
    this.#timer.unref();
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}

async function rotate(keys: Pick<SigningKeys, 'rotateIfDue'>, logger: Logger): Promise<void> {
  try {
    for (const { use, addedKeyIds, removedKeyIds } of await keys.rotateIfDue())
      logger.info({ use, addedKeyIds, removedKeyIds }, 'signing keys were replaced');
  } catch (error) {
    logger.error({ err: error }, 'signing keys could not be replaced');
  }
}
