import {
  type Completion,
  type CompletionContext,
  type CompletionResult,
  snippetCompletion,
} from '@codemirror/autocomplete';
import { findMembers, type KnownMember } from '@hearth/core/rules/check/members.ts';
import { type RuleType, VARIABLES } from '@hearth/core/rules/check/rule-type.ts';
import type { RuleKind } from '@hearth/core/rules/evaluate/rule-set.ts';
import { readToken, type Token } from '@hearth/core/rules/syntax/lexer.ts';
import { ExpressionSyntaxError } from '@hearth/core/rules/syntax/problems.ts';
import { readWords } from './format.ts';

/** The completions at an offset of a rules document. `from` is the start of the unfinished word. */
export type RulesContext =
  /** A key of a location or a rule; `isQuoted` if its opening quote exists. */
  | {
      readonly kind: 'name';
      readonly from: number;
      readonly isQuoted: boolean;
      readonly location: readonly string[];
    }
  /** `text` is the expression up to the offset, unescaped. */
  | {
      readonly kind: 'expression';
      readonly rule: RuleKind;
      readonly wildcards: readonly string[];
      readonly text: string;
    }
  | { readonly kind: 'other' };

/** An object or list that is not closed yet. */
interface Level {
  readonly isObject: boolean;
  /** Name of the current property. */
  name: string | undefined;
  isAfterColon: boolean;
}

const RULES: ReadonlyMap<string, RuleKind> = new Map([
  ['.read', 'read'],
  ['.write', 'write'],
  ['.validate', 'validate'],
]);

/** Returns the completions after `before`, the text of a document up to an offset. The text may be invalid. */
export function findContext(before: string): RulesContext {
  const levels: Level[] = [];
  let open: { readonly start: number } | undefined;
  let wordStart = before.length;
  for (const word of readWords(before)) {
    const level = levels.at(-1);
    const text = before.slice(word.start, word.end);
    if (word.kind.endsWith('comment')) {
      if (!word.isClosed || (word.kind === 'line-comment' && word.end === before.length))
        return { kind: 'other' };
    } else if (word.kind === 'string' && !word.isClosed) open = word;
    else if (word.kind === 'punctuation') applyPunctuation(text, levels);
    else if (level?.isObject === true && !level.isAfterColon) {
      if (word.kind === 'string') level.name = text.slice(1, -1);
      else if (word.end === before.length) wordStart = word.start;
    }
  }
  return contextOf(levels, open?.start, wordStart, before);
}

function applyPunctuation(sign: string, levels: Level[]): void {
  const level = levels.at(-1);
  if (sign === '{' || sign === '[')
    levels.push({ isObject: sign === '{', name: undefined, isAfterColon: false });
  else if (sign === '}' || sign === ']') levels.pop();
  else if (level !== undefined) {
    level.isAfterColon = sign === ':';
    if (sign === ',') level.name = undefined;
  }
}

function contextOf(
  levels: readonly Level[],
  openAt: number | undefined,
  wordStart: number,
  before: string,
): RulesContext {
  const level = levels.at(-1);
  // The first level is the document. Its property `rules` is the root of the locations.
  const location = levels.slice(1, -1).flatMap(({ name }) => name ?? []);
  if (level === undefined || !level.isObject) return { kind: 'other' };
  if (!level.isAfterColon) {
    if (level.name !== undefined) return { kind: 'other' };
    const isQuoted = openAt !== undefined;
    return { kind: 'name', from: isQuoted ? openAt + 1 : wordStart, isQuoted, location };
  }
  const rule = RULES.get(level.name ?? '');
  if (rule === undefined || openAt === undefined) return { kind: 'other' };
  const text = before.slice(openAt + 1).replace(/\\(.)/g, '$1');
  return { kind: 'expression', rule, wildcards: location.filter((name) => name.startsWith('$')), text };
}

/** The part of an operand that was read so far, such as `data.child('a')`. */
interface Operand {
  readonly type: RuleType | undefined;
  /** Type of the result of a call, if the operand is a method. */
  readonly result?: RuleType;
}

/** Returns the type of the operand before the dot at the end of an unfinished expression; `undefined` if it is unknown. */
export function typeBeforeDot(text: string, wildcards: readonly string[]): RuleType | undefined {
  const outer: (Operand | undefined)[] = [];
  let operand: Operand | undefined;
  let isMember = false;
  try {
    for (let at = 0; ; ) {
      const token = readToken(text, at, operand === undefined ? 'operand' : 'operator', (index) => index);
      if (token.kind === 'end') return isMember ? operand?.type : undefined;
      at = token.end;
      if (token.kind !== 'symbol') {
        operand =
          token.kind === 'name' && isMember ? memberOf(operand, token.name) : operandOf(token, wildcards);
        isMember = false;
        continue;
      }
      isMember = token.symbol === '.';
      if (token.symbol === '(' || token.symbol === '[') {
        outer.push(operand);
        operand = undefined;
      } else if (token.symbol === ')' || token.symbol === ']') operand = closed(outer.pop(), operand);
      else if (!isMember) operand = undefined;
    }
  } catch (cause) {
    if (cause instanceof ExpressionSyntaxError) return undefined;
    throw cause;
  }
}

function operandOf(token: Token, wildcards: readonly string[]): Operand {
  if (token.kind === 'string') return { type: 'string' };
  if (token.kind !== 'name') return { type: undefined };
  return { type: wildcards.includes(token.name) ? 'string' : VARIABLES.get(token.name)?.type };
}

function memberOf(target: Operand | undefined, name: string): Operand {
  const type = target?.type;
  const member = type === undefined ? undefined : findMembers(type)?.get(name);
  if (member?.kind === 'method') return { type: 'method', result: member.result };
  return { type: member?.type ?? (type === 'auth' ? 'auth' : undefined) };
}

/**
 * Returns the operand after a closing bracket: the result of a call, a member by name, or the content of grouping
 * parentheses.
 */
function closed(before: Operand | undefined, inside: Operand | undefined): Operand {
  if (before === undefined) return inside ?? { type: undefined };
  return { type: before.result ?? (before.type === 'auth' ? 'auth' : undefined) };
}

const NAME_SNIPPETS: readonly (readonly [label: string, snippet: string])[] = [
  ['.read', '".read": "#{}"'],
  ['.write', '".write": "#{}"'],
  ['.validate', '".validate": "#{}"'],
  ['.indexOn', '".indexOn": ["#{}"]'],
  ['$id', '"$#{id}": {\n\t#{}\n}'],
];

const CONSTANTS: readonly string[] = ['true', 'false', 'null'];
const AUTH_MEMBERS: readonly string[] = ['uid', 'token', 'provider'];
const CLAIMS: readonly string[] = ['email', 'email_verified', 'phone_number', 'name', 'sub', 'firebase'];

/** Completes rule names, variables, and members after a dot at the cursor of a rules document. */
export function completeRules({ state, pos, explicit }: CompletionContext): CompletionResult | null {
  const context = findContext(state.sliceDoc(0, pos));
  switch (context.kind) {
    case 'name':
      return completeName(context, pos, explicit);
    case 'expression':
      return completeExpression(context, pos, explicit);
    default:
      return null;
  }
}

function completeName(
  { from, isQuoted }: Extract<RulesContext, { kind: 'name' }>,
  pos: number,
  explicit: boolean,
): CompletionResult | null {
  if (!explicit && !isQuoted && from === pos) return null;
  const options = NAME_SNIPPETS.map(([label, snippet]) =>
    isQuoted ? { label, type: 'keyword' } : snippetCompletion(snippet, { label, type: 'keyword' }),
  );
  return { from, options, validFor: /^[.$\w]*$/ };
}

function completeExpression(
  { rule, wildcards, text }: Extract<RulesContext, { kind: 'expression' }>,
  pos: number,
  explicit: boolean,
): CompletionResult | null {
  const word = /[\w$]*$/.exec(text)?.[0] ?? '';
  const before = text.slice(0, text.length - word.length);
  const from = pos - word.length;
  if (/\.\s*$/.test(before)) {
    const options = membersAfter(before, wildcards);
    return options.length === 0 ? null : { from, options, validFor: /^\w*$/ };
  }
  if (word === '' && !explicit) return null;
  const variables = [...VARIABLES]
    .filter(([, { kinds }]) => kinds.includes(rule))
    .map(([label, { type }]): Completion => ({ label, type: 'variable', detail: type }));
  return {
    from,
    options: [
      ...variables,
      ...wildcards.map((label): Completion => ({ label, type: 'variable', detail: 'string', boost: 1 })),
      ...CONSTANTS.map((label): Completion => ({ label, type: 'constant' })),
    ],
    validFor: /^[\w$]*$/,
  };
}

function membersAfter(before: string, wildcards: readonly string[]): readonly Completion[] {
  const type = typeBeforeDot(before, wildcards);
  if (type === undefined) return [];
  const names =
    type !== 'auth'
      ? []
      : /token\s*\.\s*$/.test(before)
        ? CLAIMS
        : /auth\s*\.\s*$/.test(before)
          ? AUTH_MEMBERS
          : [];
  // `auth` and its token are objects. The methods of strings apply only to their members.
  if (names.length > 0) return names.map((label): Completion => ({ label, type: 'property' }));
  return [...(findMembers(type) ?? [])].map(([name, member]) => memberCompletion(name, member));
}

function memberCompletion(name: string, member: KnownMember): Completion {
  if (member.kind === 'property') return { label: name, type: 'property', detail: member.type };
  switch (member.parameters) {
    case 'none':
      return { label: `${name}()`, type: 'method', detail: member.result };
    case 'string':
      return snippetCompletion(`${name}('#{}')`, {
        label: name,
        type: 'method',
        detail: `→ ${member.result}`,
      });
    case 'two-strings':
      return snippetCompletion(`${name}('#{}', '#{}')`, {
        label: name,
        type: 'method',
        detail: `→ ${member.result}`,
      });
    case 'regular-expression':
      return snippetCompletion(`${name}(/^#{}$/)`, {
        label: name,
        type: 'method',
        detail: `→ ${member.result}`,
      });
    case 'children':
      return snippetCompletion(`${name}(['#{}'])`, {
        label: name,
        type: 'method',
        detail: `→ ${member.result}`,
      });
    default:
      return member.parameters satisfies never;
  }
}
