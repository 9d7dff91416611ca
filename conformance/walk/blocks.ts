import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export const REPOSITORY = join(import.meta.dirname, '..', '..');

/** Returns the paths of all documents that users and contributors read. */
export async function listDocuments(): Promise<readonly string[]> {
  const patterns = ['*.md', 'docs/**/*.md', 'packages/client/*.md'];
  const documents: string[] = [];
  for await (const path of glob(patterns, { cwd: REPOSITORY })) documents.push(path);
  return documents;
}

/** A code block of a document. */
export interface Block {
  readonly document: string;
  /** The heading above the block, without its marks; empty before the first one below the title. */
  readonly heading: string;
  /** `sh` for commands, `js` for a program, `json` for a file. */
  readonly language: string;
  /** The word after the language: the directory of a command or a program, or the name of a file. */
  readonly target: string;
  readonly text: string;
}

const BLOCK = /^```(\w*) ?(\S*)\n([\s\S]*?)^```$/gm;

/** Returns the code blocks of a document of this repository, in order. */
export async function readBlocks(document: string): Promise<readonly Block[]> {
  const text = await readFile(join(REPOSITORY, document), 'utf8');
  return [...text.matchAll(BLOCK)].map(([, language = '', target = '', code = ''], index, all) => {
    const before = text.slice(0, all[index]?.index);
    const heading = [...before.matchAll(/^##+ (.*)$/gm)].at(-1)?.[1] ?? '';
    return { document, heading, language, target, text: code };
  });
}

/** Returns the commands of a block, one per line, without their comments. */
export function commandsOf({ text }: Block): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.replace(/\s+#.*$/, '').trim())
    .filter((line) => line !== '');
}
