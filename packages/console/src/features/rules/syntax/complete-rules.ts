import {
  type Completion,
  type CompletionContext,
  type CompletionResult,
  snippetCompletion,
} from '@codemirror/autocomplete';
import { findMembers, type KnownMember } from '@hearth/core/rules/members.ts';
import { VARIABLES } from '@hearth/core/rules/variables.ts';
import { findContext, type RulesContext } from './rules-context.ts';
import { typeBeforeDot } from './type-before-dot.ts';

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

/** What can be written at the cursor of a rules document: names of rules, variables, and members of what is before a dot. */
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
  { rule, captures, text }: Extract<RulesContext, { kind: 'expression' }>,
  pos: number,
  explicit: boolean,
): CompletionResult | null {
  const word = /[\w$]*$/.exec(text)?.[0] ?? '';
  const before = text.slice(0, text.length - word.length);
  const from = pos - word.length;
  if (/\.\s*$/.test(before)) {
    const options = membersAfter(before, captures);
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
      ...captures.map((label): Completion => ({ label, type: 'variable', detail: 'string', boost: 1 })),
      ...CONSTANTS.map((label): Completion => ({ label, type: 'constant' })),
    ],
    validFor: /^[\w$]*$/,
  };
}

function membersAfter(before: string, captures: readonly string[]): readonly Completion[] {
  const type = typeBeforeDot(before, captures);
  if (type === undefined) return [];
  const known = [...(findMembers(type) ?? [])].map(([name, member]) => memberCompletion(name, member));
  if (type !== 'auth') return known;
  const names = /token\s*\.\s*$/.test(before) ? CLAIMS : /auth\s*\.\s*$/.test(before) ? AUTH_MEMBERS : [];
  return [...names.map((label): Completion => ({ label, type: 'property', boost: 2 })), ...known];
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
