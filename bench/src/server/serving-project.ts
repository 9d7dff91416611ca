import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { IdentityClient } from '../client/http.ts';
import { isRecord } from '../client/json.ts';
import { TemporaryDirectory } from '../measure/directory.ts';
import { HEARTH_COMMAND, runCommand } from './command.ts';
import { ServerProcess } from './server-process.ts';

const PROJECT = 'bench';

/** What a server leaves in its data directory for programs of the same user. */
const LOCAL_ACCESS = 'local-access.json';

/** `hearth serve` with a project, in a directory of its own. */
export class ServingProject implements AsyncDisposable {
  readonly server: ServerProcess;
  readonly client: IdentityClient;
  readonly #resources: AsyncDisposableStack;

  private constructor(server: ServerProcess, client: IdentityClient, resources: AsyncDisposableStack) {
    this.server = server;
    this.client = client;
    this.#resources = resources;
  }

  /** `passwordMs` is what hashing a password may take; without it, what the server takes by itself. */
  static async start(passwordMs?: number): Promise<ServingProject> {
    await using resources = new AsyncDisposableStack();
    const directory = resources.use(new TemporaryDirectory());
    const options = passwordMs === undefined ? [] : ['--password-ms', String(passwordMs)];
    const command = { name: 'hearth serve', arguments: [...HEARTH_COMMAND.arguments, 'serve', ...options] };
    const server = resources.use(await ServerProcess.start(command, directory.path));
    const { code, output } = await runCommand(HEARTH_COMMAND, [
      ...['project', 'create', PROJECT],
      ...['--data', directory.path],
    ]).ended;
    const key = /^API key\s+(\S+)$/m.exec(output)?.[1];
    if (code !== 0 || key === undefined) throw new Error(`no project was made:\n${output}`);
    const client = new IdentityClient(server.port, {
      project: PROJECT,
      key,
      token: readToken(directory.path),
    });
    return new ServingProject(server, client, resources.move());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#resources.disposeAsync();
  }
}

function readToken(directory: string): string {
  const access: unknown = JSON.parse(readFileSync(join(directory, LOCAL_ACCESS), 'utf8'));
  if (!isRecord(access) || typeof access['token'] !== 'string')
    throw new Error(`${LOCAL_ACCESS} names no credential`);
  return access['token'];
}
