import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RequestError } from '@hearth/core/error/request-error.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LOCKED_RULES } from '../rules/publishing/versions.ts';
import { type RulesTarget, RulesWatcher } from './watch-rules.ts';

const GOOD = '{"rules":{".read":true}}';
const FULL = 'r.json: The disk that holds the data is full. Free disk space, then write again.';
const LATER = 'r.json: the server tries again; until then';

let base = '';
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'hearth-rules-'));
  writeFileSync(join(base, 'r.json'), GOOD);
});
afterEach(() => rmSync(base, { recursive: true }));

/** Returns databases whose rules are in `rules`. The databases in `full` reject writes, as on a full disk. */
function openTarget(rules: Map<string, string>, full: Set<string>): RulesTarget {
  return {
    hasRules: (name) => rules.has(name),
    databases: {
      async writeRules(name, _identity, source) {
        if (full.has(name)) throw new RequestError('store/full');
        rules.set(name, source);
        return 1;
      },
    },
  };
}

/** Creates a watcher for the rules of `a` and `b`. `until` resolves when a line has been reported. */
function openWatcher(target: RulesTarget): {
  readonly watcher: RulesWatcher;
  readonly lines: readonly string[];
  until(line: string): Promise<void>;
} {
  const lines: string[] = [];
  let wake = Promise.withResolvers<void>();
  const report = (line: string): void => {
    lines.push(line);
    wake.resolve();
    wake = Promise.withResolvers();
  };
  const file = { path: join(base, 'r.json'), databases: ['a', 'b'] };
  return {
    watcher: new RulesWatcher({ file, name: 'r.json', target, report, retryMs: 1 }),
    lines,
    async until(line) {
      while (!lines.includes(line)) await wake.promise;
    },
  };
}

test('[H326][H327] rules that a full disk rejects are published later, and the problem is reported once', async () => {
  const rules = new Map([['b', 'old']]);
  const full = new Set(['b']);
  const { watcher, lines, until } = openWatcher(openTarget(rules, full));
  await using _watcher = watcher;
  await watcher.start();
  expect(lines).toEqual([FULL, 'r.json: published for a', `${LATER}, the rules of b stay unchanged`]);
  expect(rules.get('b')).toBe('old');
  full.delete('b');
  await until('r.json: published for b');
  expect(rules).toEqual(
    new Map([
      ['a', GOOD],
      ['b', GOOD],
    ]),
  );
  expect(lines.slice(3)).toEqual(['r.json: published for b']);
});

test('[H331] a byte order mark before the rules is skipped', async () => {
  writeFileSync(join(base, 'r.json'), `\ufeff${GOOD}`);
  const rules = new Map<string, string>();
  const { watcher } = openWatcher(openTarget(rules, new Set()));
  await using _watcher = watcher;
  await watcher.start();
  expect(rules.get('a')).toBe(GOOD);
});

test('[H327] a database that never had rules and cannot be locked is reported as open', async () => {
  const rules = new Map<string, string>();
  const full = new Set(['a', 'b']);
  const { watcher, lines, until } = openWatcher(openTarget(rules, full));
  await using _watcher = watcher;
  await watcher.start();
  expect(lines).toEqual([FULL, `${LATER}, every client can use a and b, which could not be locked`]);
  full.clear();
  await until('r.json: published for a and b');
  expect(lines).toHaveLength(3);
});

test('[H326] invalid rules are not retried', async () => {
  writeFileSync(join(base, 'r.json'), '{');
  const rules = new Map<string, string>();
  let writes = 0;
  const target: RulesTarget = {
    hasRules: (name) => rules.has(name),
    databases: {
      async writeRules(name, _identity, source) {
        writes += 1;
        if (source !== LOCKED_RULES) throw new RequestError('rules/invalid', '1:2: Wrong.');
        rules.set(name, source);
        return 1;
      },
    },
  };
  const { watcher, lines } = openWatcher(target);
  await using _watcher = watcher;
  await watcher.start();
  expect(lines).toEqual([
    'r.json:1:2: Wrong.',
    'r.json: until this is fixed, only administrators can use a and b',
  ]);
  expect(writes).toBe(3);
});
