import type { FlagsOf } from '../ops/option.ts';
import type { PROJECT_OPTIONS } from '../ops/project-options.ts';
import { openProjectServer } from './project-server.ts';

/** `hearth project list`: prints the ids of all projects, one a line. Rejects with a sentence when it cannot. */
export async function runProjectList(flags: FlagsOf<typeof PROJECT_OPTIONS>): Promise<void> {
  const ask = openProjectServer(flags);
  let after: unknown = '';
  do {
    const query = after === '' ? '' : `?after=${encodeURIComponent(String(after))}`;
    const { projects, next } = await ask('GET', query);
    if (Array.isArray(projects)) for (const { id } of projects) process.stdout.write(`${id}\n`);
    after = next;
  } while (typeof after === 'string');
}
