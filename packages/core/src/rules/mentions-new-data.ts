import type { Expression } from './expression.ts';
import { subExpressions } from './sub-expressions.ts';

/** Does an expression ask for what would be there after the write? */
export function mentionsNewData(e: Expression): boolean {
  return e.kind === 'variable' ? e.name === 'newData' : subExpressions(e).some(mentionsNewData);
}
