import { ExpressionSyntaxError } from '@hearth/core/rules/expression-syntax-error.ts';
import { findMembers } from '@hearth/core/rules/members.ts';
import { readToken } from '@hearth/core/rules/read-token.ts';
import type { RuleType } from '@hearth/core/rules/rule-type.ts';
import type { Token } from '@hearth/core/rules/token.ts';
import { VARIABLES } from '@hearth/core/rules/variables.ts';

/** What has been read of an operand, such as `data.child('a')`. */
interface Operand {
  readonly type: RuleType | undefined;
  /** What calling it comes to. */
  readonly result?: RuleType;
}

/** The type of what stands before the dot at the end of an unfinished expression; `undefined` where it is not known. */
export function typeBeforeDot(text: string, captures: readonly string[]): RuleType | undefined {
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
          token.kind === 'name' && isMember ? memberOf(operand, token.name) : operandOf(token, captures);
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

function operandOf(token: Token, captures: readonly string[]): Operand {
  if (token.kind === 'string') return { type: 'string' };
  if (token.kind !== 'name') return { type: undefined };
  return { type: captures.includes(token.name) ? 'string' : VARIABLES.get(token.name)?.type };
}

function memberOf(target: Operand | undefined, name: string): Operand {
  const type = target?.type;
  const member = type === undefined ? undefined : findMembers(type)?.get(name);
  if (member?.kind === 'method') return { type: 'method', result: member.result };
  return { type: member?.type ?? (type === 'auth' ? 'auth' : undefined) };
}

/** What stood before the brackets was called or had a member read, or there was nothing and they only held together. */
function closed(before: Operand | undefined, inside: Operand | undefined): Operand {
  if (before === undefined) return inside ?? { type: undefined };
  return { type: before.result ?? (before.type === 'auth' ? 'auth' : undefined) };
}
