import { parseRulesDocument, RulesSyntaxError } from '@hearth/core/rules/syntax/document.ts';
import { useCallback, useMemo } from 'react';
import { create } from 'zustand';

interface CaseFiles {
  readonly files: Readonly<Record<string, string>>;
}

const useFiles = create<CaseFiles>()(() => ({ files: {} }));

/** The initial case file. */
export const EMPTY_CASES = '{\n  "data": {},\n  "cases": []\n}\n';

/** Returns the text of the case file of a database, and a function that replaces the text. The browser stores the file. */
export function useCaseFile(database: string): { readonly text: string; write(text: string): void } {
  const kept = useMemo(() => readStored(database), [database]);
  const text = useFiles(({ files }) => files[database]) ?? kept;
  const write = useCallback((changed: string) => writeCaseFile(database, changed), [database]);
  return { text, write };
}

/** Returns the current case file, for views that only add to it. */
export function readCaseFile(database: string): string {
  return useFiles.getState().files[database] ?? readStored(database);
}

export function writeCaseFile(database: string, text: string): void {
  useFiles.setState(({ files }) => ({ files: { ...files, [database]: text } }));
  try {
    localStorage.setItem(nameOf(database), text);
  } catch {
    // The browser cannot store the text. It stays until the page is closed, and the user can download it.
  }
}

function readStored(database: string): string {
  return localStorage.getItem(nameOf(database)) ?? EMPTY_CASES;
}

function nameOf(database: string): string {
  return `hearth.console.rule-cases.${database}`;
}

/** A test case as JSON. */
export type CaseJson = Readonly<Record<string, unknown>>;

/**
 * Returns the file with a case added at the beginning of its list. The rest of the file stays unchanged. Returns `undefined` if
 * the text is not a case file.
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
    // The case is added before the others. After the last one, it could become part of a line comment.
    return `${file.slice(0, start)}${printed},${file.slice(start)}`;
  } catch (cause) {
    if (cause instanceof RulesSyntaxError) return undefined;
    throw cause;
  }
}
