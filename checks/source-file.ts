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

/** Parses a source file. Throws if it is not valid TypeScript. */
export function parseSource({ path, text }: TextFile): SourceFile {
  const { program, module, comments, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length;
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
