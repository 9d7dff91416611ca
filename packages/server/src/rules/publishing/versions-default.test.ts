import { parseRules } from '@hearth/core/rules/compile/rules.ts';
import { isReadAllowed, isWriteAllowed } from '@hearth/core/rules/evaluate/decide.ts';
import { NO_QUERY } from '@hearth/core/rules/evaluate/scope.ts';
import { NodeTree } from '@hearth/core/rules/evaluate/views.ts';
import { parsePath } from '@hearth/core/tree/path.ts';
import { expect, test } from 'vitest';
import { LOCKED_RULES, OPEN_RULES } from './versions.ts';

test.each([
  ['open', OPEN_RULES, true],
  ['locked', LOCKED_RULES, false],
])('[R21] the %s rules decide the same for every caller, path and operation', (_name, source, expected) => {
  const rules = parseRules(source);
  for (const auth of [null, { uid: 'jack' }])
    for (const path of ['', 'a', 'a/b/c'].map(parsePath)) {
      const operation = { auth, now: 0, tree: new NodeTree(null), path, query: NO_QUERY };
      const writes = [{ kind: 'node' as const, path, node: null }];
      expect(isReadAllowed(rules, operation)).toBe(expected);
      expect(isWriteAllowed(rules, { ...operation, writes })).toBe(expected);
    }
});
