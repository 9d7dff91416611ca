import { parseSync, Visitor } from 'oxc-parser';
import type { TextFile } from './repository.ts';

/** The parts of a source file that the checks read. Line numbers start at 1. */
export interface SourceFile {
  readonly path: string;
  readonly imports: readonly { readonly specifier: string; readonly line: number }[];
  /** Names imported from other modules, as the other module exports them. */
  readonly importedNames: readonly {
    readonly name: string;
    readonly specifier: string;
    readonly line: number;
  }[];
  /** Each name that the file declares or uses, once, with its first line. */
  readonly names: readonly { readonly name: string; readonly line: number }[];
  readonly comments: readonly { readonly text: string; readonly line: number }[];
  /** String literals, and the texts of templates up to their first placeholder. */
  readonly strings: readonly { readonly text: string; readonly line: number }[];
  /** Uses of members and of `new` without arguments, some of which are globals: `Date.now`, `new Date`, … */
  readonly reads: readonly { readonly name: string; readonly line: number }[];
  readonly defaultExportLine: number | undefined;
}

/** Files that were parsed in this process, by path. Several checks read all sources, and a parse is most of their work. */
const parsed = new Map<string, { readonly text: string; readonly file: SourceFile }>();

/** Parses a source file, unless this process has already parsed the same text. Throws if it is not valid TypeScript. */
export function parseSource({ path, text }: TextFile): SourceFile {
  const known = parsed.get(path);
  if (known?.text === text) return known.file;
  const file = parseText(path, text);
  parsed.set(path, { text, file });
  return file;
}

function parseText(path: string, text: string): SourceFile {
  const { program, module, comments, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  const lineAt = createLineFinder(text);
  const strings: { text: string; line: number }[] = [];
  const reads: { name: string; line: number }[] = [];
  const names = new Map<string, number>();
  const addName = ({ name, start }: { name: string; start: number }) => {
    if (!names.has(name)) names.set(name, start);
  };
  new Visitor({
    Identifier: addName,
    PrivateIdentifier: addName,
    Literal: (node) => {
      if (typeof node.value === 'string') strings.push({ text: node.value, line: lineAt(node.start) });
    },
    TemplateLiteral: (node) => {
      strings.push({ text: node.quasis[0]?.value.cooked ?? '', line: lineAt(node.start) });
    },
    MemberExpression: (node) => {
      if (node.object.type !== 'Identifier') return;
      const property =
        node.property.type === 'Identifier' && !node.computed
          ? node.property.name
          : node.property.type === 'Literal'
            ? String(node.property.value)
            : undefined;
      if (property !== undefined)
        reads.push({ name: `${node.object.name}.${property}`, line: lineAt(node.start) });
    },
    NewExpression: (node) => {
      if (node.callee.type === 'Identifier' && node.arguments.length === 0) {
        reads.push({ name: `new ${node.callee.name}`, line: lineAt(node.start) });
      }
    },
    VariableDeclarator: (node) => {
      if (node.id.type !== 'ObjectPattern' || node.init?.type !== 'Identifier') return;
      for (const property of node.id.properties) {
        if (property.type === 'Property' && property.key.type === 'Identifier') {
          reads.push({ name: `${node.init.name}.${property.key.name}`, line: lineAt(property.start) });
        }
      }
    },
  }).visit(program);
  const defaultExport = module.staticExports
    .flatMap(({ entries }) => entries)
    .find(({ exportName }) => exportName.kind === 'Default' || exportName.name === 'default');
  const imported = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest }) => moduleRequest ?? []),
    ),
  ].map(({ value, start }) => ({ specifier: value, line: lineAt(start) }));
  const importedLater = module.dynamicImports.flatMap(({ moduleRequest: { start, end } }) => {
    const literal = /^(['"])(.*)\1$/.exec(text.slice(start, end));
    return literal?.[2] === undefined ? [] : [{ specifier: literal[2], line: lineAt(start) }];
  });
  return {
    path,
    imports: [...imported, ...importedLater],
    importedNames: module.staticImports.flatMap(({ moduleRequest, entries }) =>
      entries.flatMap(({ importName }) =>
        importName.name === null
          ? []
          : [{ name: importName.name, specifier: moduleRequest.value, line: lineAt(importName.start ?? 0) }],
      ),
    ),
    names: [...names].map(([name, start]) => ({ name, line: lineAt(start) })),
    comments: comments.map(({ value, start }) => ({ text: value, line: lineAt(start) })),
    strings,
    reads,
    defaultExportLine: defaultExport === undefined ? undefined : lineAt(defaultExport.start),
  };
}

/** Returns a function that returns the line of an offset in the text. It searches, so a long file costs no more per name. */
function createLineFinder(text: string): (offset: number) => number {
  const starts = [0];
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', end + 1)) starts.push(end + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}
