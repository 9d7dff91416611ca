import { expect, test } from 'vitest';
import { findRows, linksIn } from './document-table.ts';
import { readFiles, readText } from './repository.ts';

const PRODUCT = 'docs/product.md';
const rows = findRows({ path: PRODUCT, text: readText(PRODUCT) }).filter(
  ({ heading }) => heading === 'Calls',
);
const REACHES_OUT =
  /\bfetch\(|\bcreateTransport\(|\{[^}]*\brequest as \w+[^}]*\} from 'node:https?'|\bcreateConnection\(|\{[^}]*\bconnect\b[^}]*\} from 'node:(?:net|tls)'/;

test('[P40] every outgoing connection of the server is documented', () => {
  const sources = readFiles(
    (path) => path.startsWith('packages/server/src/') && !/\.(test|fixture|contract)\.ts$/.test(path),
  );
  const found = sources.filter(({ text }) => REACHES_OUT.test(text)).map(({ path }) => path);
  const linked = rows
    .flatMap(({ cells }) => linksIn(PRODUCT, cells['where'] ?? ''))
    .map(({ target }) => target);
  expect(found).toEqual(linked.toSorted());
});

test('[P40] every documented address exists in the code', () => {
  const code = readFiles((path) =>
    /^packages\/server\/src\/(?:admin-api|app|auth|http|realtime|session|site)\/.*(?<!\.test)\.ts$/.test(
      path,
    ),
  )
    .map(({ text }) => text)
    .join('\n');
  const addresses = rows.flatMap(({ cells }) => [...(cells['address'] ?? '').matchAll(/`(\/?[\w./]+)`/g)]);
  const missing = addresses.map(([, address = '']) => address).filter((address) => !code.includes(address));
  expect(missing).toEqual([]);
  expect(addresses.length).toBeGreaterThan(8);
});
