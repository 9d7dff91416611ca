import { join, resolve } from 'node:path';

/** Where a data directory has the key file, if no option says otherwise. Absolute. */
export function secretKeyPath(directory: string): string {
  return join(resolve(directory), 'secret.key');
}
