import { posix } from 'node:path';
import type { TextFile } from './repository.ts';

/** A row of a table in a Markdown file. */
export interface DocumentRow {
  /** `file:line`. */
  readonly at: string;
  /** The nearest heading above, without `#`. */
  readonly heading: string;
  /** The text of each cell, by the name of the column. */
  readonly cells: Readonly<Record<string, string>>;
}

/** Returns all rows of all tables of a document. */
export function findRows({ path, text }: TextFile): readonly DocumentRow[] {
  const rows: DocumentRow[] = [];
  let heading = '';
  let columns: readonly string[] | undefined;
  for (const [index, line] of text.split('\n').entries()) {
    heading = /^#+ (.*)$/.exec(line)?.[1] ?? heading;
    if (!line.startsWith('|')) columns = undefined;
    else if (columns === undefined) columns = cellsOf(line);
    else if (!/^\|[-|: ]+\|$/.test(line)) {
      const cells = cellsOf(line);
      rows.push({
        at: `${path}:${index + 1}`,
        heading,
        cells: Object.fromEntries(columns.map((name, at) => [name, cells[at] ?? ''])),
      });
    }
  }
  return rows;
}

function cellsOf(line: string): readonly string[] {
  return line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.replaceAll('\\|', '|').trim());
}

/** Returns the texts between backticks. */
export function codesIn(text: string): readonly string[] {
  return Array.from(text.matchAll(/`([^`]+)`/g), ([, code = '']) => code);
}

/** Returns the sentences between typographic quotation marks. A sentence may contain such marks. */
export function quotesIn(text: string): readonly string[] {
  return Array.from(text.matchAll(/“((?:[^“”]|“[^“”]*”)+)”/g), ([, quote = '']) => quote);
}

interface DocumentLink {
  readonly text: string;
  /** Path from the root. */
  readonly target: string;
}

/** Returns the links to files in a document at `path`. */
export function linksIn(path: string, text: string): readonly DocumentLink[] {
  return Array.from(text.matchAll(/\[([^\]]*)\]\(([^)#\s]+)[^)]*\)/g), ([, label = '', target = '']) => ({
    text: label.replaceAll('`', ''),
    target: posix.join(posix.dirname(path), target),
  }));
}
