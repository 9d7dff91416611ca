import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const PAGE = fileURLToPath(new URL('../../../docs/performance.md', import.meta.url));

/** Replaces the part of `docs/performance.md` that belongs to a scenario. Throws when the page has no such part. */
export function writePerformancePage(scenario: string, content: string): void {
  writeFileSync(PAGE, replacePart(readFileSync(PAGE, 'utf8'), scenario, content));
}

/** Replaces what stands between the marks of a part, keeping the marks. */
function replacePart(page: string, part: string, content: string): string {
  const opening = `<!-- bench ${part} -->`;
  const closing = `<!-- end ${part} -->`;
  const start = page.indexOf(opening);
  const end = page.indexOf(closing);
  if (start < 0 || end < start) throw new Error(`the page has no part named ${part}`);
  return `${page.slice(0, start + opening.length)}\n\n${content}\n\n${page.slice(end)}`;
}
