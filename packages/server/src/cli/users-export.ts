import { resolve } from 'node:path';
import { elapsedMs } from '../ops/clock.ts';
import type { FlagsOf } from '../ops/option.ts';
import type { USERS_OPTIONS } from '../ops/users-options.ts';
import { exportUsers } from '../users-cli/export-users.ts';
import { readUserFormat } from '../users-cli/user-format.ts';
import { readUsersServer } from './users-server.ts';
import { watchWork } from './watch-work.ts';

/** `hearth users export`: writes the accounts of a project at a running server to a file. */
export async function runUsersExport(flags: FlagsOf<typeof USERS_OPTIONS>, file: string): Promise<void> {
  readUserFormat(file);
  const { outcome, project } = await watchWork(async ({ signal, stage, onBytes, say }) => {
    stage('Exporting');
    const server = readUsersServer(flags, signal);
    const job = {
      server,
      file,
      elapsedMs,
      onBytes: (done: number) => onBytes(done, undefined),
      report: say,
    };
    return { outcome: await exportUsers(job), project: server.project };
  });
  const beside =
    outcome.parametersFile === null
      ? ''
      : `, and how their passwords are hashed to ${outcome.parametersFile}`;
  process.stdout.write(
    `Exported ${outcome.count.toLocaleString('en')} accounts of ${project} to ${resolve(file)}${beside}.\n`,
  );
}
