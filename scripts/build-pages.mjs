import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { PINNED_NODE, ROOT } from './paths.mjs';
import { exitLike, runChild } from './run-child.mjs';

const VITE = `${ROOT}node_modules/vite/bin/vite.js`;
const TSC = `${ROOT}node_modules/typescript/bin/tsc`;

/**
 * A program that builds a part of a package.
 * @typedef {object} Builder
 * @property {string} command
 * @property {readonly string[]} args
 * @property {string} title displayed name of the program
 */

/**
 * A package that is built into files that the server sends.
 * @typedef {object} Product
 * @property {string} name displayed name
 * @property {string} folder path from the root, with a trailing slash
 * @property {string} config file in the folder without which there is nothing to build
 * @property {string} output folder in the package for the built files
 * @property {readonly string[]} uses folders of other packages whose sources are part of the build
 * @property {(root: string) => readonly Builder[]} builders returns the programs, which run one after the other;
 * `root` is the absolute folder
 * @property {(root: string) => void} [finish] runs after the builders have succeeded
 */

/** @param {string} root @returns {readonly Builder[]} */
const buildWithVite = (root) => [
  { title: 'vite', command: PINNED_NODE, args: [VITE, 'build', '--logLevel', 'warn', root] },
];

/**
 * Returns the programs that compile the client and pack it as `npm publish` would. Deletes what an earlier build
 * compiled, because npm packs everything that it finds.
 * @param {string} root @returns {readonly Builder[]}
 */
const packClient = (root) => {
  for (const folder of ['dist', 'packed']) rmSync(`${root}${folder}`, { recursive: true, force: true });
  mkdirSync(`${root}packed`);
  return [
    { title: 'tsc', command: PINNED_NODE, args: [TSC, '-p', 'tsconfig.build.json'] },
    {
      title: 'npm pack',
      command: 'npm',
      args: ['pack', '--ignore-scripts', '--pack-destination', 'packed', '--loglevel=error'],
    },
  ];
};

/** Gives the packed client the name that does not depend on its version. @param {string} root */
const renameClient = (root) => {
  const [name] = readdirSync(`${root}packed`);
  renameSync(`${root}packed/${name}`, `${root}packed/client.tgz`);
};

/** @type {readonly Product[]} */
const PRODUCTS = [
  {
    name: 'pages',
    folder: 'packages/pages/',
    config: 'vite.config.ts',
    output: 'dist/',
    uses: ['packages/client/src/captcha/'],
    builders: buildWithVite,
  },
  {
    name: 'console',
    folder: 'packages/console/',
    config: 'vite.config.ts',
    output: 'dist/',
    uses: ['packages/pages/src/shell/', 'packages/client/src/', 'packages/core/src/'],
    builders: buildWithVite,
  },
  {
    name: 'client package',
    folder: 'packages/client/',
    config: 'tsconfig.build.json',
    output: 'packed/',
    uses: [],
    builders: packClient,
    finish: renameClient,
  },
];

/** Folders of built and installed files, and of tests in browsers. */
const NOT_SOURCES = ['dist', 'packed', 'node_modules', 'browser'];

/**
 * Returns the paths, from the root of the repository, of the source files below a folder. Omits built files and
 * files for tests.
 * @param {string} folder
 * @returns {string[]}
 */
function listSources(folder) {
  return readdirSync(ROOT + folder, { withFileTypes: true })
    .filter(({ name }) => !NOT_SOURCES.includes(name) && !/\.(test|fixtures?)\./.test(name))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) =>
      entry.isDirectory() ? listSources(`${folder}${entry.name}/`) : [`${folder}${entry.name}`],
    );
}

/** @param {Product} product */
function hashSources({ folder, uses }) {
  const hash = createHash('sha256');
  // The lock file determines the versions of the packages in the build.
  const files = ['package-lock.json', 'tsconfig.base.json', ...[folder, ...uses].flatMap(listSources)];
  for (const path of files) {
    const bytes = readFileSync(ROOT + path);
    // The length separates the content of one file from the path of the next.
    hash.update(`${path}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest('hex');
}

/**
 * Builds the pages for browsers and the package for apps, unless the last build used the current sources. A build
 * takes some seconds. All output goes to standard error.
 * @returns {Promise<boolean>} false after a failure; prints the failure and sets the exit code
 */
export async function buildPages() {
  for (const product of PRODUCTS) if (!(await buildOne(product))) return false;
  return true;
}

/** @param {Product} product */
async function buildOne(product) {
  const { name, folder, config, output, builders, finish } = product;
  const root = ROOT + folder;
  // Without sources, no build is needed. The server reports missing pages when a client requests one.
  if (!existsSync(`${root}${config}`)) return true;
  /** The build writes this file last, so it is absent after an interrupted build. */
  const stamp = `${root}${output}sources.sha256`;
  const wanted = hashSources(product);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return true;
  process.stderr.write(`Building the ${name}.\n`);
  for (const builder of builders(root)) if (!(await runBuilder(name, root, builder))) return false;
  finish?.(root);
  writeFileSync(stamp, wanted);
  return true;
}

/** @param {string} name @param {string} root @param {Builder} builder */
async function runBuilder(name, root, { title, command, args }) {
  const { npm_config_local_prefix: _caller, ...environment } = process.env;
  /** @type {import('node:child_process').SpawnOptions} */
  const options = {
    cwd: root,
    env: { ...environment, NODE_ENV: 'production' },
    stdio: ['ignore', 2, 2],
  };
  const outcome = await runChild(command, args, options).catch((/** @type {Error} */ error) => error);
  if (outcome instanceof Error) {
    process.stderr.write(`The ${name} could not be built: ${title} cannot be run (${outcome.message}).\n`);
    process.exitCode = 1;
    return false;
  }
  if (outcome.code === 0) return true;
  if (outcome.signal === null)
    process.stderr.write(`The ${name} could not be built: ${title} ended with code ${outcome.code}.\n`);
  exitLike(outcome);
  return false;
}
