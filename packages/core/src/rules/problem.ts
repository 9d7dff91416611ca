import { LineIndex } from './line-index.ts';

/** Something wrong in a rules document. `offset` counts UTF-16 units from its start. */
export interface Problem {
  readonly offset: number;
  readonly message: string;
  readonly hint?: Hint | undefined;
}

/** Finds a sentence to append to a message, or nothing. It is asked only for problems that are shown: looking for it takes time. */
export type Hint = () => string;

/** Most problems that are shown: nobody mends more at a time. */
const MAX_SHOWN = 100;

/** A name that a sentence quotes may contain line breaks. */
const CONTROL = /\p{Cc}/gu;

/** One line `line:column: message` per problem, in the order of the document; lines and columns count from 1. */
export function formatProblems(source: string, problems: readonly Problem[]): string {
  const sorted = [...problems].sort((a, b) => a.offset - b.offset).slice(0, MAX_SHOWN);
  const lines = new LineIndex(source);
  const text = sorted.map((problem) => formatProblem(problem, lines)).join('');
  const hidden = problems.length - sorted.length;
  return hidden === 0 ? text : `${text}and ${hidden} more problems\n`;
}

function formatProblem({ offset, message, hint }: Problem, lines: LineIndex): string {
  const { line, column } = lines.positionOf(offset);
  return `${line}:${column}: ${`${message}${hint?.() ?? ''}`.replace(CONTROL, ' ')}\n`;
}
