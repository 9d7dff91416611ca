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
  const kept = useMemo(() => readKept(database), [database]);
  const text = useFiles(({ files }) => files[database]) ?? kept;
  const write = useCallback((changed: string) => writeCaseFile(database, changed), [database]);
  return { text, write };
}

/** The file as it is now, for those who add to it from elsewhere. */
export function readCaseFile(database: string): string {
  return useFiles.getState().files[database] ?? readKept(database);
}

export function writeCaseFile(database: string, text: string): void {
  useFiles.setState(({ files }) => ({ files: { ...files, [database]: text } }));
  try {
    localStorage.setItem(nameOf(database), text);
  } catch {
    // It is there as long as the page; it can be saved as a file.
  }
}

function readKept(database: string): string {
  return localStorage.getItem(nameOf(database)) ?? EMPTY_CASES;
}

function nameOf(database: string): string {
  return `hearth.console.rule-cases.${database}`;
}
