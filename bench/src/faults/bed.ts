import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord } from '../client/json.ts';
import { TemporaryDirectory } from '../measure/directory.ts';
import { HEARTH_COMMAND, runCommand, type ServerCommand } from '../server/command.ts';
import { ServerProcess } from '../server/server-process.ts';
import { askHttp } from './http.ts';
import { type Machine, SmallDisk } from './machine.ts';
import { Shim } from './shim/shim.ts';

const PROJECT = 'faults';
const NAMESPACE = `${PROJECT}-default-rtdb`;

/** Room for the log of commits, which takes up to 64 MiB per database. */
const SMALL_DISK_MIB = 224;

const RULES = {
  rules: {
    '.read': true,
    crash: { '.write': true, indexed: { '.indexOn': ['score', 'n'] } },
    crowd: { '.write': true },
    sites: { '.write': true },
    noise: { '.write': true },
  },
} as const;

/** How a test bed is made. */
export type BedOptions = {
  readonly isOnSmallDisk: boolean;
  readonly usesShim: boolean;
};

/** `hearth serve` with one project, which survives the end of its process. */
export class FaultBed implements AsyncDisposable {
  readonly dataDirectory: string;
  readonly namespace = NAMESPACE;
  /** Absent where the machine cannot mount a file system, or where the fault does not need one. */
  readonly smallDisk: SmallDisk | undefined;
  readonly #shim: Shim | undefined;
  readonly #resources: DisposableStack;
  #server: ServerProcess | undefined;
  #key = '';

  private constructor(machine: Machine, { isOnSmallDisk, usesShim }: BedOptions) {
    using resources = new DisposableStack();
    const work = resources.use(new TemporaryDirectory());
    this.smallDisk =
      isOnSmallDisk && machine.canMount ? resources.use(new SmallDisk(SMALL_DISK_MIB)) : undefined;
    this.dataDirectory = join(this.smallDisk?.path ?? work.path, 'data');
    this.#shim =
      usesShim && machine.shim !== undefined
        ? resources.use(new Shim(machine.shim, work.path, this.dataDirectory))
        : undefined;
    this.#resources = resources.move();
  }

  /** Starts a server and creates its project. */
  static async open(machine: Machine, options: BedOptions): Promise<FaultBed> {
    const bed = new FaultBed(machine, options);
    try {
      await bed.start();
      await bed.#createProject();
    } catch (cause) {
      await bed[Symbol.asyncDispose]();
      throw cause;
    }
    return bed;
  }

  /** The running server. Throws if there is none. */
  get server(): ServerProcess {
    if (this.#server === undefined) throw new Error('no server has been started');
    return this.#server;
  }

  get port(): number {
    return this.server.port;
  }

  /**
   * The control of the shim, which injects the faults. Throws without the shim, which a fault must name among its
   * needs.
   */
  get shim(): Shim {
    if (this.#shim === undefined) throw new Error('the server runs without the shim');
    return this.#shim;
  }

  /** The API key of the project. */
  get key(): string {
    return this.#key;
  }

  /** The command of the server, with the shim if the bed has one. */
  get command(): ServerCommand {
    return {
      name: 'hearth serve',
      arguments: [...HEARTH_COMMAND.arguments, 'serve', '--password-ms', '10'],
      environment: this.#shim?.environment ?? {},
    };
  }

  /** Starts the server, after its process has ended. */
  async start(): Promise<void> {
    this.#server = await ServerProcess.start(this.command, this.dataDirectory);
  }

  /** Kills the server if it still runs, and starts it again. */
  async restart(): Promise<void> {
    await this.server.kill();
    await this.start();
  }

  /** Returns the path of a request for data, with the query that names the database. */
  dataPath(path: string, query = ''): string {
    return `${path}.json?ns=${NAMESPACE}${query}`;
  }

  /** The credential of an administrator, which is a new one after each start. */
  readToken(): string {
    const access: unknown = JSON.parse(readFileSync(join(this.dataDirectory, 'local-access.json'), 'utf8'));
    if (!isRecord(access) || typeof access['token'] !== 'string') throw new Error('there is no credential');
    return access['token'];
  }

  /** Publishes the rules of the bed. Returns the status of the answer and its text. */
  publishRules(): ReturnType<typeof askHttp> {
    const path = `/.settings/rules.json?ns=${NAMESPACE}`;
    return askHttp(this.port, { method: 'PUT', path, token: this.readToken(), body: RULES });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server?.kill();
    this.#resources[Symbol.dispose]();
  }

  async #createProject(): Promise<void> {
    const { code, output } = await runCommand(HEARTH_COMMAND, [
      ...['project', 'create', PROJECT, '--data', this.dataDirectory],
    ]).ended;
    const key = /^API key\s+(\S+)$/m.exec(output)?.[1];
    if (code !== 0 || key === undefined) throw new Error(`no project was created:\n${output}`);
    this.#key = key;
    const rules = await this.publishRules();
    if (rules.status !== 200) throw new Error(`the rules were rejected: ${rules.status} ${rules.text}`);
  }
}
