import { Refusal } from '../fault/refusal.ts';
import { formatPath, parsePath } from '../tree/path.ts';
import { quote } from './quote.ts';
import type { Report } from './report.ts';
import type { DocumentValue } from './rules-document.ts';

/** Orders that need no index of their own: every database has them. */
const BUILT_IN_INDEXES: ReadonlySet<string> = new Set(['.key', '.priority']);

const INVALID = 'Invalid indexOn expression. Must be either a string or an array of strings';

/** The indexes that an `.indexOn` declares, each once: `.value` or paths without slashes around them. Reports all others. */
export function parseIndexOn(value: DocumentValue, report: Report): readonly string[] {
  if (value.kind !== 'string' && value.kind !== 'array') {
    report(value.offset, INVALID);
    return [];
  }
  const indexes = new Set<string>();
  for (const item of value.kind === 'string' ? [value] : value.items) {
    if (item.kind !== 'string') {
      report(item.offset, INVALID);
      continue;
    }
    if (BUILT_IN_INDEXES.has(item.value)) continue;
    const index = item.value === '.value' ? item.value : parseIndexPath(item.value);
    if (index !== undefined) indexes.add(index);
    else report(item.offset, `The index ${quote(item.value)} is neither ".value" nor a path of child names.`);
  }
  return [...indexes];
}

function parseIndexPath(text: string): string | undefined {
  try {
    return formatPath(parsePath(text)) || undefined;
  } catch (cause) {
    if (cause instanceof Refusal) return undefined;
    throw cause;
  }
}
