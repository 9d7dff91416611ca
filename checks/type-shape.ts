import type { Expression, TSInterfaceDeclaration, TSSignature, TSType, TSTypeReference } from 'oxc-parser';
import { constantValue } from './constant-value.ts';
import { declarationsOf, type ModuleDeclarations } from './module-declarations.ts';

/** A type, and the module that declares the names in it. */
interface TypeLocation {
  readonly module: ModuleDeclarations;
  readonly type: TSType | TSInterfaceDeclaration;
}

interface Member {
  readonly name: string;
  readonly location: TypeLocation | undefined;
}

/**
 * Returns the member names of an interface or a type, beginning with those of the types that it extends. For
 * a union, returns those of all its cases.
 */
export function memberNames(module: ModuleDeclarations, name: string): readonly string[] {
  const location = findType(module, name);
  return location === undefined ? [] : [...new Set(membersOf(location).map((member) => member.name))];
}

/**
 * Returns the cases of a union, by their `kind` or as texts; for a constant, the entries of a list or the
 * names of a record. A dot leads to a member of a type: `Settings.state`.
 */
export function kindNames(module: ModuleDeclarations, name: string): readonly string[] {
  const [first = '', ...members] = name.split('.');
  const location = members.reduce(
    (at: TypeLocation | undefined, member) =>
      at && membersOf(at).find((one) => one.name === member)?.location,
    findType(module, first),
  );
  return location === undefined ? namesIn(constantValue(module, name)) : kindsOf(location);
}

function namesIn(constant: unknown): readonly string[] {
  return Array.isArray(constant) ? constant.map(String) : Object.keys(Object(constant));
}

function findType(module: ModuleDeclarations, name: string): TypeLocation | undefined {
  const declared = module.types.get(name);
  if (declared?.type === 'TSInterfaceDeclaration') return { module, type: declared };
  if (declared !== undefined) return { module, type: declared.typeAnnotation };
  const imported = module.imports.get(name);
  return imported && findType(declarationsOf(imported.path), imported.name);
}

function kindsOf({ module, type }: TypeLocation): readonly string[] {
  switch (type.type) {
    case 'TSUnionType':
      return type.types.flatMap((one) => kindsOf({ module, type: one }));
    case 'TSLiteralType':
      return 'value' in type.literal ? [String(type.literal.value)] : [];
    case 'TSIndexedAccessType': {
      const list = withoutParentheses(type.objectType);
      return list.type === 'TSTypeQuery' && list.exprName.type === 'Identifier'
        ? namesIn(constantValue(module, list.exprName.name))
        : [];
    }
    case 'TSTypeReference': {
      const found = referred(module, type);
      return found === undefined ? [] : kindsOf(found);
    }
    default:
      return membersOf({ module, type })
        .filter(({ name }) => name === 'kind')
        .flatMap(({ location }) => (location === undefined ? [] : kindsOf(location)));
  }
}

function membersOf({ module, type }: TypeLocation): readonly Member[] {
  switch (type.type) {
    case 'TSInterfaceDeclaration':
      return [
        ...type.extends.flatMap(({ expression, typeArguments }) =>
          membersOfNamed(module, nameOf(expression), typeArguments?.params ?? []),
        ),
        ...type.body.body.flatMap((signature) => memberOf(module, signature)),
      ];
    case 'TSTypeLiteral':
      return type.members.flatMap((signature) => memberOf(module, signature));
    case 'TSUnionType':
    case 'TSIntersectionType':
      return type.types.flatMap((one) => membersOf({ module, type: one }));
    case 'TSParenthesizedType':
      return membersOf({ module, type: type.typeAnnotation });
    case 'TSTypeReference':
      return type.typeName.type === 'Identifier'
        ? membersOfNamed(module, type.typeName.name, type.typeArguments?.params ?? [])
        : [];
    default:
      return [];
  }
}

function membersOfNamed(
  module: ModuleDeclarations,
  name: string,
  [first, second]: readonly TSType[],
): readonly Member[] {
  if (first !== undefined && ['Readonly', 'Partial'].includes(name))
    return membersOf({ module, type: first });
  if (first !== undefined && second !== undefined && ['Omit', 'Pick'].includes(name)) {
    const named = kindsOf({ module, type: second });
    return membersOf({ module, type: first }).filter(
      (member) => named.includes(member.name) === (name === 'Pick'),
    );
  }
  const found = findType(module, name);
  return found === undefined ? [] : membersOf(found);
}

function memberOf(module: ModuleDeclarations, signature: TSSignature): readonly Member[] {
  if (signature.type !== 'TSPropertySignature' || signature.key.type !== 'Identifier') return [];
  const type = signature.typeAnnotation?.typeAnnotation;
  return [{ name: signature.key.name, location: type && { module, type } }];
}

function referred(module: ModuleDeclarations, { typeName }: TSTypeReference): TypeLocation | undefined {
  return typeName.type === 'Identifier' ? findType(module, typeName.name) : undefined;
}

function withoutParentheses(type: TSType): TSType {
  return type.type === 'TSParenthesizedType' ? withoutParentheses(type.typeAnnotation) : type;
}

function nameOf(expression: Expression): string {
  return expression.type === 'Identifier' ? expression.name : '';
}
