import { formatPath } from '../../tree/path.ts';
import type { AuthObject } from '../rule-value.ts';
import type { CaseOperation } from './rule-case.ts';

/** What a case without a name is called: `alice writes /rooms/r1`. `word` is how its file calls whoever tries. */
export function nameCase(
  word: string | undefined,
  auth: AuthObject | null,
  operation: CaseOperation,
): string {
  return `${word ?? formatIdentity(auth)} ${formatOperation(operation)}`;
}

function formatIdentity(auth: AuthObject | null): string {
  if (auth === null) return 'a guest';
  const uid = Object.entries(auth).find(([name]) => name === 'uid')?.[1];
  return typeof uid === 'string' ? uid : 'somebody';
}

function formatOperation(operation: CaseOperation): string {
  switch (operation.kind) {
    case 'read':
      return `reads /${formatPath(operation.path)}`;
    case 'write': {
      const { write } = operation;
      const place = `/${formatPath(write.path)}`;
      if (write.kind === 'priority') return `sets the priority of ${place}`;
      return write.draft.node === null ? `removes ${place}` : `writes ${place}`;
    }
    case 'update':
      return `updates /${formatPath(operation.path)}`;
    default:
      return operation satisfies never;
  }
}
