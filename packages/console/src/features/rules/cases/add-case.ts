import { parseRulesDocument, RulesSyntaxError } from '@hearth/core/rules/rules-document.ts';

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
