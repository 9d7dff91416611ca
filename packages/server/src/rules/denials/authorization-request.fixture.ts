import { parseRules } from '@hearth/core/rules/compile/rules.ts';
import { readOf, writeOf } from '@hearth/core/rules/evaluate/operations.fixture.ts';
import { NodeTree } from '@hearth/core/rules/evaluate/views.ts';
import type { RuleCase } from '@hearth/core/rules/model/rule-case.arbitrary.ts';
import type { AuthorizationRequest, DecidedOperation } from '../../access/authorization-request.ts';

/** Returns the operation of a generated case. */
export function caseRequest({ rules, data, auth, now, operation }: RuleCase): AuthorizationRequest {
  const common = { auth, now, tree: new NodeTree(data) };
  const identity =
    auth === null || Array.isArray(auth)
      ? ({ kind: 'guest' } as const)
      : ({ kind: 'user', auth: { ...auth }, expiresAtMs: null } as const);
  const decided: DecidedOperation =
    operation.kind === 'read'
      ? { kind: 'read', read: { ...common, path: operation.path, query: operation.query } }
      : { kind: 'write', write: { ...common, writes: operation.writes } };
  return {
    name: operation.kind === 'read' ? 'get' : 'merge',
    identity,
    rules: parseRules(rules),
    isUnrepeatable: false,
    operation: decided,
  };
}

/** Returns a rules document with the rules of one location, `/rooms/$id`. */
export function roomRules(rules: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ rules: { rooms: { $id: rules } } });
}

/** Returns a read by a user, or by a guest if `auth` is null. */
export function readRequest(
  source: string,
  path: string,
  data = 'null',
  auth: RequestUser = { uid: 'u1' },
): AuthorizationRequest {
  const read = readOf(path, { auth, data });
  return {
    name: 'get',
    identity: identityOf(auth),
    rules: parseRules(source),
    isUnrepeatable: false,
    operation: { kind: 'read', read },
  };
}

/** Returns a write by a user, or by a guest if `auth` is null. `values` holds JSON texts by path. */
export function writeRequest(
  source: string,
  values: Readonly<Record<string, string>>,
  data = 'null',
  auth: RequestUser = { uid: 'u1' },
): AuthorizationRequest {
  const write = writeOf(values, { auth, data });
  return {
    name: 'put',
    identity: identityOf(auth),
    rules: parseRules(source),
    isUnrepeatable: false,
    operation: { kind: 'write', write },
  };
}

type RequestUser = Readonly<Record<string, unknown>> | null;

function identityOf(auth: RequestUser): AuthorizationRequest['identity'] {
  return auth === null ? { kind: 'guest' } : { kind: 'user', auth, expiresAtMs: null };
}
