import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

test('[D14] the libraries of NATS are loaded only when a connection is opened', () => {
  const folder = import.meta.dirname;
  const imports = readdirSync(join(folder, '..'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .flatMap(
      (path) => readFileSync(join(folder, '..', path), 'utf8').match(/^import .* from '@nats-io.*$/gm) ?? [],
    );
  expect(imports.filter((line) => !line.startsWith('import type '))).toEqual([]);
  expect(imports).not.toEqual([]);
});
