import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AuthClient } from '../client/http.ts';
import { isRecord } from '../client/json.ts';
import { TemporaryDirectory } from '../measure/directory.ts';
import { HEARTH_COMMAND, runCommand } from './command.ts';
import { ServerProcess } from './server-process.ts';

const PROJECT = 'bench';

/** A file in the data directory that gives programs of the same user access to the server. */
const LOCAL_ACCESS = 'local-access.json';

/** `hearth serve` with a project, in its own directory. */
export class ServingProject implements AsyncDisposable {
  readonly server: ServerProcess;
  readonly client: AuthClient;
  readonly #resources: AsyncDisposableStack;

  private constructor(server: ServerProcess, client: AuthClient, resources: AsyncDisposableStack) {
    this.server = server;
    this.client = client;
    this.#resources = resources;
  }

  /** `passwordMs` is the target time of a password hash; without it, the server uses its default. */
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
    if (code !== 0 || key === undefined) throw new Error(`no project was created:\n${output}`);
    const client = new AuthClient(server.port, {
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
    throw new Error(`${LOCAL_ACCESS} contains no credential`);
  return access['token'];
}
