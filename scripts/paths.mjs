import { fileURLToPath } from 'node:url';

/** Absolute path of the repository, with a trailing separator. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/**
 * The Node that the lock file pins. This is not the `.bin` link, because a regular file can be checked and
 * executed everywhere.
 */
export const PINNED_NODE = `${ROOT}node_modules/node/bin/node`;
