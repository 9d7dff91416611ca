import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Absolute path of the repository, with a trailing separator. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Name of the package that contains Node for this platform, as in `package.json`. */
const NODE_PACKAGE = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

/** Directory where Node keeps compiled code. Most of the duration of a start from sources is compilation. */
export const COMPILE_CACHE = `${ROOT}node_modules/.cache/node-compile`;

/** @type {{ optionalDependencies?: Record<string, string> }} */
const { optionalDependencies = {} } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'));

/** Version of Node that `package.json` pins for this platform; undefined if it pins none. */
export const PINNED_VERSION = optionalDependencies[NODE_PACKAGE];

/** Path of the pinned Node, from the root of the repository. */
export const PINNED_FILE = `node_modules/${NODE_PACKAGE}/bin/${process.platform === 'win32' ? 'node.exe' : 'node'}`;

/**
 * Path of the Node program that runs everything: the one that the lock file pins with its hash, or on other platforms
 * the Node that runs this script. It is not the link in `.bin`, because a regular file can be checked and executed on
 * every system.
 */
export const PINNED_NODE = PINNED_VERSION === undefined ? process.execPath : ROOT + PINNED_FILE;
