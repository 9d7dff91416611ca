import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { printBytes, showControls } from '../../../ui/text.tsx';

/** Longest CSV file that is imported, in bytes. The browser converts it as a whole. */
export const MAX_CSV_BYTES = 16 * 2 ** 20;
/** Longest JSON text that is exported as CSV, in bytes. */
export const MAX_CSV_SOURCE_BYTES = 64 * 2 ** 20;
/** Maximum number of columns of an exported file. With more, members of rows are JSON. */
export const MAX_CSV_COLUMNS = 200;

/** Why data cannot be converted from or to CSV. */
export type CsvProblemKind =
  | 'too-large'
  | 'encoding'
  | 'no-header'
  | 'column-twice'
  | 'no-key'
  | 'key-twice'
  | 'no-rows'
  | 'too-wide'
  | 'syntax';

export class CsvProblem extends Error {
  override readonly name = 'CsvProblem';
  readonly kind: CsvProblemKind;
  /** The name of a column, a key, or the line of an error without either; otherwise empty. */
  readonly detail: string;
  /** The line of a key that occurs twice. */
  readonly line: number | undefined;

  constructor(
    kind: CsvProblemKind,
    detail = '',
    { line, ...options }: ErrorOptions & { readonly line?: number } = {},
  ) {
    super(`CSV: ${kind} ${detail}`, options);
    this.kind = kind;
    this.detail = detail;
    this.line = line;
  }
}

/** Returns a function that says in the language of the page why data cannot be converted. */
export function useExplainCsv(): (problem: CsvProblem) => string {
  const { t, i18n } = useTranslation('data');
  return useCallback(
    ({ kind, detail, line }) =>
      t(`transfer.csv.${kind}`, {
        detail: showControls(detail),
        line: line?.toLocaleString(i18n.language),
        most: printBytes(MAX_CSV_BYTES, i18n.language),
        columns: MAX_CSV_COLUMNS.toLocaleString(i18n.language),
      }),
    [t, i18n.language],
  );
}
