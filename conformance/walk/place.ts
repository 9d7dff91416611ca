import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { makeCertificate } from '../clients/own-certificate.ts';
import { type Ended, runProgram } from '../clients/run-program.ts';
import { findReservedPort, NODE_BINARY, SERVER_MAIN } from '../drivers/server-process.ts';
import { REPOSITORY } from './blocks.ts';

const CLIENTS = join(REPOSITORY, 'conformance/clients');

/** Commands that run until they are stopped. */
const SERVING = /^(?:npm start|(?:npm run hearth -- |hearth )(?:serve|dev)\b)/;

/** Time within which a server is ready, and a program prints the expected text. */
const LIMIT_MS = 120_000;

/**
 * A clean directory in which a user follows a document. The clone itself is elsewhere: `npm start` and `npm run` use it,
 * and everything else happens in the directory.
 */
export class Place implements AsyncDisposable {
  readonly folder: string;
  readonly #port: number;
  readonly #environment: Readonly<Record<string, string>>;
  readonly #running = new Set<ChildProcess>();
  /** The output of the servers. */
  #printed = '';
  /** Texts of the documents that stand for values, and the values. */
  readonly #values = new Map<string, string>();

  private constructor(folder: string, port: number) {
    this.folder = folder;
    this.#port = port;
    this.#environment = {
      PATH: [join(folder, 'bin'), process.env['PATH'] ?? ''].join(delimiter),
      HOME: join(folder, 'home'),
      NODE_EXTRA_CA_CERTS: join(folder, 'fullchain.pem'),
      // No server answers at this address, because no command of a document needs a registry.
      npm_config_registry: 'http://127.0.0.1:9',
      npm_config_fetch_retries: '0',
      npm_config_audit: 'false',
      npm_config_fund: 'false',
      npm_config_update_notifier: 'false',
    };
    this.know('https://hearth.example.com', `https://127.0.0.1:${port}`);
    this.know('--port 443', `--port ${port}`);
    this.know('127.0.0.1:9000', `127.0.0.1:${port}`);
    this.know("'127.0.0.1', 9000", `'127.0.0.1', ${port}`);
  }

  static async open(): Promise<Place> {
    const folder = await mkdtemp(join(tmpdir(), 'hearth-walk-'));
    const place = new Place(folder, await findReservedPort());
    for (const name of ['bin', 'home']) await mkdir(join(folder, name));
    const npm = execFileSync('/bin/sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim();
    await place.#addProgram(
      'npm',
      `case "$1" in start|run) exec '${npm}' --prefix '${REPOSITORY}' "$@";; *) exec '${npm}' "$@";; esac`,
    );
    await place.#addProgram('hearth', `exec '${NODE_BINARY}' --conditions=source '${SERVER_MAIN}' "$@"`);
    const { cert, key } = makeCertificate('127.0.0.1');
    await place.write('fullchain.pem', cert);
    await place.write('privkey.pem', key);
    return place;
  }

  /** Adds a shell script to the programs of the user. */
  async #addProgram(name: string, script: string): Promise<void> {
    const path = join(this.folder, 'bin', name);
    await writeFile(path, `#!/bin/sh\n${script}\n`);
    await chmod(path, 0o755);
  }

  /** Replaces a text of the documents by a value from now on. */
  know(text: string, value: string): void {
    this.#values.set(text, value);
  }

  fill(text: string): string {
    return [...this.#values].reduce((filled, [from, to]) => filled.replaceAll(from, to), text);
  }

  /** The address of the production server. */
  get url(): string {
    return `https://127.0.0.1:${this.#port}`;
  }

  get printed(): string {
    return this.#printed;
  }

  write(name: string, content: string | Buffer): Promise<void> {
    return writeFile(join(this.folder, name), content);
  }

  read(name: string): Promise<string> {
    return readFile(join(this.folder, name), 'utf8');
  }

  /** Creates the directory of an app in which the official packages are installed, as an app's user has them. */
  async addApp(name: string, packages: readonly string[]): Promise<void> {
    const app = join(this.folder, name);
    await mkdir(join(app, 'node_modules'), { recursive: true });
    const lock: LockFile = JSON.parse(await readFile(join(CLIENTS, 'package-lock.json'), 'utf8'));
    const versions = packages.map((one) => [one, lock.packages[`node_modules/${one}`]?.version]);
    const manifest = { name, private: true, type: 'module', dependencies: Object.fromEntries(versions) };
    await writeFile(join(app, 'package.json'), JSON.stringify(manifest, null, 2));
    const programs = join(app, 'node_modules/.bin');
    await mkdir(programs);
    for (const path of closureOf(lock, packages)) {
      await cp(join(CLIENTS, path), join(app, path), { recursive: true, verbatimSymlinks: true });
      // Without the links to its programs, npm takes a package for incomplete.
      for (const [program, file] of Object.entries(lock.packages[path]?.bin ?? {}))
        await symlink(join('..', path.slice('node_modules/'.length), file), join(programs, program));
    }
  }

  /** Runs a command in the directory `target`; a server only until it is ready. */
  async run(command: string, target = '', more: Readonly<Record<string, string>> = {}): Promise<Ended> {
    const env = { ...this.#environment, ...more };
    const shell = {
      command: '/bin/sh',
      args: ['-c', this.fill(command)],
      cwd: join(this.folder, target),
      env,
    };
    return SERVING.test(command) ? this.#serve(shell) : runProgram(shell);
  }

  /** Runs a module until it has printed `shows`, because a program with an open connection does not end. */
  async runModule(code: string, target: string, shows: RegExp): Promise<string> {
    const file = join(this.folder, target, 'program.mjs');
    await writeFile(file, this.fill(code));
    const child = this.#start({
      command: NODE_BINARY,
      args: [file],
      cwd: join(this.folder, target),
      env: this.#environment,
    });
    return this.#await(child, shows);
  }

  async #serve(shell: Shell): Promise<Ended> {
    const port = { HEARTH_PORT: String(this.#port), HEARTH_DATA: join(this.folder, '.hearth') };
    const child = this.#start({ ...shell, env: { ...shell.env, ...port } });
    const stdout = await this.#await(child, /^ready \S+$/m);
    return { code: 0, stdout, stderr: '' };
  }

  #start({ command, args, cwd, env }: Shell): ChildProcess {
    // The program gets its own process group, because npm starts further processes.
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    this.#running.add(child);
    child.once('exit', () => this.#running.delete(child));
    return child;
  }

  async #await(child: ChildProcess, shows: RegExp): Promise<string> {
    let text = '';
    const collect = (part: Buffer): void => {
      text += part.toString();
      this.#printed += part.toString();
    };
    child.stdout?.on('data', collect);
    child.stderr?.on('data', collect);
    const closed = once(child, 'close');
    const limit = AbortSignal.timeout(LIMIT_MS);
    while (!shows.test(text)) {
      if (limit.aborted || (child.exitCode !== null && child.stdout?.readableEnded === true))
        throw new Error(`The program did not print ${shows}:\n${text}`);
      await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, 50))]);
    }
    return text;
  }

  /** Stops the servers and programs that still run. */
  async stop(): Promise<void> {
    for (const child of [...this.#running]) {
      // The process may have exited while another one was stopped.
      if (!this.#running.has(child)) continue;
      const exited = once(child, 'exit');
      if (child.pid !== undefined) stopGroup(child.pid);
      await exited;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** Stops a program and those that it started. Does nothing if they have just exited. */
function stopGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGTERM');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

interface Shell {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

interface LockedPackage {
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  /** Files of the programs of the package, by their names. */
  readonly bin?: Readonly<Record<string, string>>;
}

interface LockFile {
  readonly packages: Readonly<Record<string, LockedPackage | undefined>>;
}

/** Returns the folders of packages and of everything that they depend on. */
function closureOf({ packages }: LockFile, names: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (name: string, from: string): void => {
    const path = resolvePackage(packages, name, from);
    if (path === undefined || found.has(path)) return;
    found.add(path);
    for (const dependency of Object.keys(packages[path]?.dependencies ?? {})) visit(dependency, path);
  };
  for (const name of names) visit(name, '');
  // A package inside another one comes with it.
  return new Set([...found].filter((path) => ![...found].some((other) => path.startsWith(`${other}/`))));
}

/** Returns the folder that Node finds for a package from another one, or `undefined` if it is not installed. */
function resolvePackage(packages: LockFile['packages'], name: string, from: string): string | undefined {
  for (let folder = from; ; folder = parentOf(folder)) {
    const path = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (packages[path] !== undefined) return path;
    if (folder === '') return undefined;
  }
}

/** Returns the folder of the package that contains another one; empty for the root. */
function parentOf(folder: string): string {
  const index = folder.lastIndexOf('/node_modules/');
  return index === -1 ? '' : folder.slice(0, index);
}
