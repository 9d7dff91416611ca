import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a directory, and those above it, unless something has its name already. Throws the system's error. Node's own
 * recursive form never returns where the kernel denies that a directory exists which it shows, as in `/proc`.
 */
export function ensureDirectory(path: string, mode = 0o777): void {
  if (statSync(path, { throwIfNoEntry: false }) !== undefined) return;
  const parent = dirname(path);
  if (parent !== path) ensureDirectory(parent, mode);
  mkdirSync(path, { mode });
}
