import type { FlagsOf } from '../ops/option.ts';
import type { PROJECT_OPTIONS } from '../ops/project-options.ts';
import { openProjectServer } from './project-server.ts';

/** `hearth project create`: makes a project, and prints what its apps have to know. Rejects with a sentence when it cannot. */
export async function runProjectCreate(flags: FlagsOf<typeof PROJECT_OPTIONS>, id: string): Promise<void> {
  const { apiKey } = await openProjectServer(flags)('POST', '', { id });
  process.stdout.write(`Project   ${id}\nAPI key   ${String(apiKey)}\nDatabase  ${id}-default-rtdb\n`);
}
