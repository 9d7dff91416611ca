import { fileURLToPath } from 'node:url';

/** Absolute path of the repository, with a trailing separator. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The Node that the lock file pins. The `.bin` link is not used: a real file can be checked and executed anywhere. */
export const PINNED_NODE = `${ROOT}node_modules/node/bin/node`;
