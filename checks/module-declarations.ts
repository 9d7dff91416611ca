import {
  type Expression,
  parseSync,
  type Statement,
  type TSInterfaceDeclaration,
  type TSTypeAliasDeclaration,
} from 'oxc-parser';
import { findTarget } from './boundaries.ts';
import { readText, type TextFile } from './repository.ts';

/** The top-level declarations of a file, by name. */
export interface ModuleDeclarations {
  readonly constants: ReadonlyMap<string, Expression>;
  readonly types: ReadonlyMap<string, TSInterfaceDeclaration | TSTypeAliasDeclaration>;
  /** Imports from files of this repository, by local name. */
  readonly imports: ReadonlyMap<string, { readonly path: string; readonly name: string }>;
}

const known = new Map<string, ModuleDeclarations>();

/** Returns the declarations of a file, given by its path from the root. Throws if the file does not exist. */
export function declarationsOf(path: string): ModuleDeclarations {
  const found = known.get(path) ?? parseDeclarations({ path, text: readText(path) });
  known.set(path, found);
  return found;
}

export function parseDeclarations({ path, text }: TextFile): ModuleDeclarations {
  const { program, module } = parseSync(path, text);
  const constants = new Map<string, Expression>();
  const types = new Map<string, TSInterfaceDeclaration | TSTypeAliasDeclaration>();
  for (const statement of program.body) {
    const declared = declarationIn(statement);
    if (declared?.type === 'TSInterfaceDeclaration' || declared?.type === 'TSTypeAliasDeclaration')
      types.set(declared.id.name, declared);
    if (declared?.type === 'VariableDeclaration')
      for (const { id, init } of declared.declarations)
        if (id.type === 'Identifier' && init !== null) constants.set(id.name, init);
  }
  const imports = new Map(
    module.staticImports.flatMap(({ moduleRequest, entries }) => {
      const target = findTarget(path, moduleRequest.value);
      if (target === undefined) return [];
      return entries.map(
        ({ localName, importName }) =>
          [localName.value, { path: target, name: importName.name ?? localName.value }] as const,
      );
    }),
  );
  return { constants, types, imports };
}

function declarationIn(statement: Statement) {
  return statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
}
