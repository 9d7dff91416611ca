/** Something wrong in a rules document. `offset` counts UTF-16 units from its start. */
export interface Problem {
  readonly offset: number;
  readonly message: string;
}

/** Most problems that are shown: nobody mends more at a time. */
const MAX_SHOWN = 100;

/** A name that a sentence quotes may contain line breaks. */
const CONTROL = /\p{Cc}/gu;

/** One line `line:column: message` per problem, in the order of the document; lines and columns count from 1. */
export function formatProblems(source: string, problems: readonly Problem[]): string {
  const sorted = [...problems].sort((a, b) => a.offset - b.offset).slice(0, MAX_SHOWN);
  let line = 1;
  let lineStart = 0;
  let text = '';
  for (const { offset, message } of sorted) {
    for (let next = findLineEnd(source, lineStart); next <= offset; next = findLineEnd(source, lineStart)) {
      line++;
      lineStart = next;
    }
    text += `${line}:${offset - lineStart + 1}: ${message.replace(CONTROL, ' ')}\n`;
  }
  const hidden = problems.length - sorted.length;
  return hidden === 0 ? text : `${text}and ${hidden} more problems\n`;
}

/** Where the following line begins; `Infinity` on the last line. */
function findLineEnd(source: string, from: number): number {
  const newline = source.indexOf('\n', from);
  return newline === -1 ? Number.POSITIVE_INFINITY : newline + 1;
}
