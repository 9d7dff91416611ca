import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import { ROOT } from './paths.mjs';
import { runChild } from './run-child.mjs';

/** Environment variable with the path of the program. */
export const NATS_SERVER = 'NATS_SERVER_PATH';

/** The first version that the tests accept, as in `server-requirements.ts`. */
const MIN_VERSION = [2, 14, 4];

/** Where a fetched package is unpacked. */
const UNPACKED = `${ROOT}node_modules/.cache/nats-server`;
const UNPACKED_PROGRAM = `${UNPACKED}/usr/sbin/nats-server`;

const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';

/** Debian's stable release has an older version. */
const SUITE = 'sid';

/**
 * Returns the addresses of the Debian archives that this machine installs packages from, without those of security
 * updates. apt itself reads its sources, in both of their formats, and prints the addresses without fetching anything.
 */
function debianArchives() {
  const { stdout } = spawnSync('apt-get', ['--print-uris', 'update'], { encoding: 'utf8' });
  const indexes = (stdout ?? '').matchAll(/^'(\S+)\/dists\/([^/]+)\/main\/binary-/gm);
  const releases = ['stable', 'testing', 'unstable', SUITE, debianRelease()];
  const archives = [...indexes].flatMap(([, archive, suite]) =>
    archive !== undefined && releases.includes(suite) ? [archive] : [],
  );
  return [...new Set(archives)];
}

/** Returns the name of the installed Debian release, such as `bookworm`. */
function debianRelease() {
  const path = '/etc/os-release';
  return existsSync(path) ? /^VERSION_CODENAME=(\S+)$/m.exec(readFileSync(path, 'utf8'))?.[1] : undefined;
}

/** @param {string} program */
function isRecent(program) {
  const { stdout, status } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  const version = /v(\d+)\.(\d+)\.(\d+)/.exec(stdout ?? '')?.slice(1);
  if (status !== 0 || version === undefined) return false;
  for (const [index, least] of MIN_VERSION.entries()) {
    const number = Number(version[index]);
    if (number !== least) return number > least;
  }
  return true;
}

/** Returns the path of an installed server that is recent enough. */
function find() {
  const chosen = process.env[NATS_SERVER];
  const onPath = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'nats-server'));
  const candidates = chosen ? [chosen] : [UNPACKED_PROGRAM, ...onPath, '/usr/sbin/nats-server'];
  return candidates.find((program) => existsSync(program) && isRecent(program));
}

/**
 * Fetches the package with Debian's own tools, which verify its signature, and unpacks it below `node_modules`. Changes
 * nothing in the system.
 * @param {string} archive the address of a Debian archive
 */
async function fetchPackage(archive) {
  const cache = `${ROOT}node_modules/.cache`;
  mkdirSync(cache, { recursive: true });
  // On the disk of `UNPACKED`, so that a complete package appears there as a whole.
  const folder = mkdtempSync(`${cache}/nats-server-package-`);
  try {
    for (const path of [
      'etc/sources.list.d',
      'etc/preferences.d',
      'etc/apt.conf.d',
      'lists/partial',
      'cache/archives/partial',
      'unpacked',
    ])
      mkdirSync(join(folder, path), { recursive: true });
    writeFileSync(join(folder, 'etc/sources.list'), `deb [signed-by=${KEYRING}] ${archive} ${SUITE} main\n`);
    const settings = {
      'Dir::Etc': join(folder, 'etc'),
      'Dir::State::lists': join(folder, 'lists'),
      'Dir::Cache': join(folder, 'cache'),
      'Acquire::Languages': 'none',
      'Acquire::Retries': '2',
      // The temporary folder belongs to the caller alone.
      'APT::Sandbox::User': 'root',
    };
    const options = Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
    /** @type {(command: string, args: readonly string[]) => Promise<boolean>} */
    const succeeds = async (command, args) =>
      (await runChild(command, [...args], { cwd: folder, env: process.env, stdio: ['ignore', 2, 2] }))
        .code === 0;
    if (!(await succeeds('apt-get', [...options, '-qq', 'update']))) return;
    if (!(await succeeds('apt-get', [...options, '-qq', 'download', 'nats-server']))) return;
    const file = readdirSync(folder).find((name) => name.endsWith('.deb'));
    if (file === undefined || !(await succeeds('dpkg-deb', ['-x', file, 'unpacked']))) return;
    rmSync(UNPACKED, { recursive: true, force: true });
    renameSync(join(folder, 'unpacked'), UNPACKED);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Returns the path of a NATS server for the tests, and fetches one from Debian's packages if none is installed.
 * @returns {Promise<string | undefined>} undefined after a failure, which the function prints
 */
export async function findOrFetchNatsServer() {
  const found = find();
  if (found !== undefined) return found;
  if (!process.env[NATS_SERVER] && existsSync(KEYRING)) {
    process.stderr.write('Fetching nats-server from the packages of Debian, for the tests of the cluster.\n');
    for (const archive of debianArchives()) {
      await fetchPackage(archive);
      if (existsSync(UNPACKED_PROGRAM)) break;
    }
  }
  const fetched = find();
  if (fetched === undefined) {
    process.stderr.write(
      `No nats-server of version ${MIN_VERSION.join('.')} or later was found, so its tests are skipped: install one, or set ${NATS_SERVER} to its path.\n`,
    );
  }
  return fetched;
}
