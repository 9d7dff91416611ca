import { fileURLToPath } from 'node:url';

/** Absolute path of the repository, with a trailing separator. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/**
 * Path of the Node program that the lock file pins. It is not the link in `.bin`, because a regular file can be
 * checked and executed on every system.
 */
export const PINNED_NODE = `${ROOT}node_modules/node/bin/node`;
