import { parseRulesDocument, RulesSyntaxError } from '@hearth/core/rules/syntax/document.ts';
import { useCallback, useMemo } from 'react';
import { create } from 'zustand';

interface CaseFiles {
  readonly files: Readonly<Record<string, string>>;
}

const useFiles = create<CaseFiles>()(() => ({ files: {} }));

/** What a file of cases begins with. */
export const EMPTY_CASES = '{\n  "data": {},\n  "cases": []\n}\n';

/** The file of cases for the rules of a database, kept by the browser. */
export function useCaseFile(database: string): { readonly text: string; write(text: string): void } {
  const kept = useMemo(() => readStored(database), [database]);
  const text = useFiles(({ files }) => files[database]) ?? kept;
  const write = useCallback((changed: string) => writeCaseFile(database, changed), [database]);
  return { text, write };
}

/** The file as it is now, for those who add to it from elsewhere. */
export function readCaseFile(database: string): string {
  return useFiles.getState().files[database] ?? readStored(database);
}

export function writeCaseFile(database: string, text: string): void {
  useFiles.setState(({ files }) => ({ files: { ...files, [database]: text } }));
  try {
    localStorage.setItem(nameOf(database), text);
  } catch {
    // It is there as long as the page; it can be saved as a file.
  }
}

function readStored(database: string): string {
  return localStorage.getItem(nameOf(database)) ?? EMPTY_CASES;
}

function nameOf(database: string): string {
  return `hearth.console.rule-cases.${database}`;
}

/** One case as JSON. */
export type CaseJson = Readonly<Record<string, unknown>>;

/**
 * The file with one more case at the end of its list; whatever else is in it stays as it is. `undefined` for a text that is
 * no file of cases: where the case would go is not known.
 */
export function addCase(file: string, added: CaseJson): string | undefined {
  try {
    const document = parseRulesDocument(file);
    if (document.kind !== 'object') return undefined;
    const cases = document.properties.find(({ name }) => name === 'cases')?.value;
    if (cases?.kind !== 'array') return undefined;
    const start = cases.offset + 1;
    const printed = `\n    ${JSON.stringify(added)}`;
    if (cases.items.length === 0)
      return `${file.slice(0, start)}${printed}\n  ${file.slice(start).trimStart()}`;
    // Before the others, where no comment can be in between.
    return `${file.slice(0, start)}${printed},${file.slice(start)}`;
  } catch (cause) {
    if (cause instanceof RulesSyntaxError) return undefined;
    throw cause;
  }
}
