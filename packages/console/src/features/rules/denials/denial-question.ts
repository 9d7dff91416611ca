import type { WholeDenial } from '../../../server/rules-denials.ts';
import { EMPTY_QUESTION, type Operation, type QuestionForm } from '../simulator/question-form.ts';

const WRITES = new Set(['put', 'transaction', 'onDisconnectPut', 'onDisconnect', 'PUT', 'POST', 'DELETE']);
const UPDATES = new Set(['merge', 'onDisconnectMerge', 'PATCH']);

/** What was denied, as a question for the simulator. What was to be written is `null` where the log keeps no values. */
export function questionOf(denial: WholeDenial): QuestionForm {
  const operation = operationOf(denial);
  const [path = '/'] = denial.paths;
  const { identity } = denial;
  return {
    ...EMPTY_QUESTION,
    operation,
    path: operation === 'update' ? '/' : path,
    auth: identity.kind === 'guest' ? '' : JSON.stringify(identity.auth, null, 2),
    value: writtenValue(denial, operation),
    query: printQuery(denial.query),
  };
}

function operationOf({ operation, pathCount }: WholeDenial): Operation {
  if (UPDATES.has(operation) || pathCount > 1) return 'update';
  return WRITES.has(operation) ? 'write' : 'read';
}

function writtenValue({ paths, values }: WholeDenial, operation: Operation): string {
  if (operation === 'read') return EMPTY_QUESTION.value;
  const written = new Map(
    values?.writes.map((write) => [
      write.kind === 'priority' ? `${write.path}/.priority` : write.path,
      write.kind === 'priority' ? JSON.stringify(write.priority) : write.json,
    ]),
  );
  if (operation === 'write') return written.get(paths[0] ?? '/') ?? EMPTY_QUESTION.value;
  // The texts are JSON already: reading and printing them again would round long integers.
  return `{${paths.map((path) => `${JSON.stringify(path.slice(1))}: ${written.get(path) ?? 'null'}`).join(', ')}}`;
}

/** What a query says beside nothing. */
function printQuery(query: WholeDenial['query']): string {
  const said = Object.entries(query ?? {}).filter(([, value]) => value !== null && value !== false);
  return said.length === 0 ? '' : JSON.stringify(Object.fromEntries(said));
}
