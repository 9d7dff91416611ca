import { leafNode } from '@hearth/core/tree/node.ts';
import { parsePath } from '@hearth/core/tree/path.ts';
import { expect, test } from 'vitest';
import { applyCommit, nodeWrite } from './commit.ts';

test('[L85] a commit whose value is not in the log cannot be replayed, and says so', () => {
  const writes = [
    nodeWrite(parsePath('a'), leafNode(1)),
    { kind: 'linked', path: parsePath('b/c') } as const,
  ];
  expect(() => applyCommit(null, { writes })).toThrow('/b/c');
});
