import { leafNode } from '@hearth/core/tree/node.ts';
import { parsePath } from '@hearth/core/tree/path.ts';
import { expect, test } from 'vitest';
import { applyCommit, nodeWrite } from './commit.ts';

test('[L85] replaying a commit whose value is not in the log fails with an error that names the path', () => {
  const writes = [
    nodeWrite(parsePath('a'), leafNode(1)),
    { kind: 'linked', path: parsePath('b/c') } as const,
  ];
  expect(() => applyCommit(null, { writes })).toThrow('/b/c');
});
