import type { RuleCase } from '@hearth/core/rules/cases/operation.ts';
import type { DraftWrite } from '@hearth/core/rules/evaluate/operation.ts';
import type { RuleNode, RuleSet } from '@hearth/core/rules/evaluate/rule-set.ts';
import type { AuthObject, QueryVariables } from '@hearth/core/rules/evaluate/values.ts';
import { type Expression, subExpressions } from '@hearth/core/rules/syntax/expression.ts';
import { exportJson, priorityJson } from '@hearth/core/tree/node-json.ts';
import { formatPath, type Path } from '@hearth/core/tree/path.ts';

/**
 * Returns a module with test cases as tests for `node --test`, which use `@firebase/rules-unit-testing`. A case that this
 * package cannot run is skipped, with the reason.
 */
export function printUnitTests(rules: RuleSet, cases: readonly RuleCase[]): string {
  const usesNow = mentionsNow(rules.root);
  return [
    HEAD,
    `const RULES = ${JSON.stringify(rules.source)};\n`,
    SETUP,
    ...cases.map((one) => printTest(one, usesNow)),
  ].join('\n');
}

const HEAD = `// Tests of Realtime Database rules, exported from the console of Hearth.
// Install firebase and @firebase/rules-unit-testing, start the database emulator or \`hearth dev\`,
// and run: FIREBASE_DATABASE_EMULATOR_HOST=127.0.0.1:9000 node --test rules.test.mjs
import { after, before, test } from 'node:test';
import { assertFails, assertSucceeds, initializeTestEnvironment } from '@firebase/rules-unit-testing';
`;

const SETUP = `const [host, port] = (process.env.FIREBASE_DATABASE_EMULATOR_HOST ?? '127.0.0.1:9000').split(':');
let environment;

before(async () => {
  const database = { host, port: Number(port), rules: RULES };
  environment = await initializeTestEnvironment({ projectId: 'demo-rules-test', database });
});

after(() => environment.cleanup());

/** Replaces all data, and returns the database as a user sees it; \`null\` is a client that is not signed in. */
async function openDatabase(auth, data) {
  await environment.withSecurityRulesDisabled((context) => context.database().ref().set(data));
  const context =
    auth === null
      ? environment.unauthenticatedContext()
      : environment.authenticatedContext(auth.uid, auth.token);
  return context.database();
}
`;

function printTest(ruleCase: RuleCase, usesNow: boolean): string {
  const { name, auth, data, isAllowed } = ruleCase;
  const reason = whySkipped(ruleCase, usesNow);
  if (reason !== undefined)
    return `test(${JSON.stringify(name)}, { skip: ${JSON.stringify(reason)} }, () => {});\n`;
  return `test(${JSON.stringify(name)}, async () => {
  const database = await openDatabase(${printAuth(auth)}, ${literal(exportJson(data))});
  await ${isAllowed ? 'assertSucceeds' : 'assertFails'}(${printOperation(ruleCase)});
});
`;
}

/** Returns why `@firebase/rules-unit-testing` cannot run a case; `undefined` if it can. */
function whySkipped({ auth, nowMs }: RuleCase, usesNow: boolean): string | undefined {
  if (nowMs !== null && usesNow) return 'The rules use now, and the time of a test cannot be set.';
  if (auth === null) return undefined;
  const { uid, token, provider: _provider, ...others }: Readonly<Record<string, unknown>> = { ...auth };
  if (typeof uid !== 'string') return 'The user has no user ID.';
  if (Object.keys(others).length > 0 || (token !== undefined && !isObject(token)))
    return 'The variable auth is not that of a user.';
  return undefined;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Claims that the package sets itself, and rejects or overwrites in a token. */
const OWN_CLAIMS: ReadonlySet<string> = new Set(['aud', 'auth_time', 'exp', 'iat', 'iss', 'sub', 'user_id']);

/** Returns JSON as an expression. In an object literal, `__proto__` would not be a property. */
function literal(json: string): string {
  return json.includes('"__proto__"') ? `JSON.parse(${JSON.stringify(json)})` : json;
}

function printAuth(auth: AuthObject | null): string {
  if (auth === null) return 'null';
  const { uid, token = {} }: Readonly<Record<string, unknown>> = { ...auth };
  const claims = Object.entries(token as object).filter(([name]) => !OWN_CLAIMS.has(name));
  return JSON.stringify({ uid, token: Object.fromEntries(claims) });
}

function printOperation({ operation }: RuleCase): string {
  switch (operation.kind) {
    case 'read':
      return `${printRef(operation.path)}${printQuery(operation.query)}.get()`;
    case 'write':
      return operation.write.kind === 'priority'
        ? `${printRef(operation.write.path)}.setPriority(${priorityJson(operation.write.priority)})`
        : `${printRef(operation.write.path)}.set(${printValue(operation.write)})`;
    case 'update': {
      const values = operation.writes.map(
        (write) => `${JSON.stringify(printTarget(write))}: ${printValue(write)}`,
      );
      return `database.ref().update({ ${values.join(', ')} })`;
    }
    default:
      return operation satisfies never;
  }
}

function printRef(path: Path): string {
  return path.length === 0 ? 'database.ref()' : `database.ref(${JSON.stringify(formatPath(path))})`;
}

function printTarget({ kind, path }: DraftWrite): string {
  return formatPath(path) + (kind === 'priority' ? '/.priority' : '');
}

function printValue(write: DraftWrite): string {
  return write.kind === 'priority' ? priorityJson(write.priority) : literal(exportJson(write.draft.node));
}

function printQuery(query: QueryVariables): string {
  const { orderByKey, orderByValue, orderByPriority, orderByChild, startAt, endAt, equalTo } = query;
  const calls: readonly (readonly [name: string, argument: unknown])[] = [
    ['orderByKey', orderByKey ? undefined : null],
    ['orderByValue', orderByValue ? undefined : null],
    ['orderByPriority', orderByPriority ? undefined : null],
    ['orderByChild', orderByChild],
    ['equalTo', equalTo],
    ['startAt', equalTo === null ? startAt : null],
    ['endAt', equalTo === null ? endAt : null],
    ['limitToFirst', query.limitToFirst],
    ['limitToLast', query.limitToLast],
  ];
  return calls
    .filter(([, argument]) => argument !== null)
    .map(([name, argument]) => `.${name}(${argument === undefined ? '' : JSON.stringify(argument)})`)
    .join('');
}

function mentionsNow({ read, write, validate, children, wildcard }: RuleNode): boolean {
  const own = [read, write, validate].some((rule) => rule !== null && usesNow(rule.expression));
  return own || [...children.values(), ...(wildcard === null ? [] : [wildcard.node])].some(mentionsNow);
}

function usesNow(e: Expression): boolean {
  return e.kind === 'variable' ? e.name === 'now' : subExpressions(e).some(usesNow);
}
