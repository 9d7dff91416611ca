import { parseRules } from '@hearth/core/rules/compile/rules.ts';
import type { ProposedWrite } from '@hearth/core/rules/evaluate/operation.ts';
import type { RuleSet } from '@hearth/core/rules/evaluate/rule-set.ts';
import type { AuthObject, RuleTree } from '@hearth/core/rules/evaluate/values.ts';
import { leafNode } from '@hearth/core/tree/node.ts';
import { parsePath, parseWritePath } from '@hearth/core/tree/path.ts';
import type { DecidedOperation } from '../../access/authorization-request.ts';
import type { Holder, Lease } from '../../platform/lease.ts';
import type { TransactionScheduler } from '../../storage/transaction/scheduler.ts';
import type { WriteTransaction } from '../../storage/transaction/transaction.ts';
import { type Denial, userOf } from '../denials/denial.ts';
import { parseWrite } from '../denials/evaluate.ts';
import type { DenialLog } from '../denials/log.ts';
import { printPath } from '../denials/recording-tree.ts';
import { printJsonWithDoubles } from '../denials/redact.ts';
import type { OperationRecorder } from '../recorder/recorder.ts';
import { decidedOperation, type RecordedOperation } from '../recorder/recording.ts';
import { OverlayTree, type Replay } from '../recorder/replay.ts';
import type { ReplayReport } from '../recorder/report.ts';
import { type DeniedOperation, type DraftedProposal, type ProposedChange, proposeRules } from './proposal.ts';

/** A change of the rules that would allow a denied operation. */
export type Proposal =
  | Extract<DraftedProposal, { readonly kind: 'none' }>
  | {
      readonly kind: 'draft';
      readonly source: string;
      readonly changes: readonly ProposedChange[];
      /** Whether the written value was known, so that `.validate` rules were decided too. */
      readonly isValueKnown: boolean;
      readonly effect: ProposalEffect;
    };

/** What a proposal changes for recorded operations. */
export interface ProposalEffect {
  readonly report: ReplayReport;
  /** Newly allowed operations of the same user, and of all others. */
  readonly ofUser: number;
  readonly ofOthers: number;
}

export interface RuleProposalsOptions {
  readonly scheduler: TransactionScheduler;
  readonly denials: DenialLog;
  readonly recorder: OperationRecorder;
  readonly replay: Replay;
  /** Returns the current tree of a database. */
  readonly findTree: (transaction: WriteTransaction, database: string) => RuleTree;
}

/** Proposes changes of rules for denials, and replays recorded operations with them. */
export class RuleProposals {
  readonly #options: RuleProposalsOptions;

  constructor(options: RuleProposalsOptions) {
    this.#options = options;
  }

  /**
   * Proposes a change of the rules in `source` that allows a denied operation. Throws `denial/unknown`, `rules/invalid`,
   * and the errors of a replay.
   */
  async propose(holder: Holder, database: string, id: number, source: string): Promise<Proposal> {
    const place = this.#options.replay.takePlace(holder);
    try {
      return await this.#propose(place, database, id, source);
    } finally {
      place.release();
    }
  }

  async #propose(place: Lease, database: string, id: number, source: string): Promise<Proposal> {
    const { scheduler, denials, findTree, replay } = this.#options;
    const base = parseRules(source);
    const denial = await denials.find(database, id);
    const user = userOf(denial.identity);
    if (user === null) return { kind: 'none', reason: 'guest' };
    const { identity } = denial;
    if (user.uid === '' || identity.kind === 'guest') return { kind: 'none', reason: 'auth-unknown' };
    const auth = identity.auth as AuthObject;
    const recorded = this.#findRecorded(database, denial);
    const known = knownWrites(denial);
    if (recorded === undefined && denial.pathCount > denial.paths.length)
      return { kind: 'none', reason: 'value-unknown' };
    const isValueKnown = recorded !== undefined || denial.query !== null || known !== undefined;
    const open = (transaction: WriteTransaction): DeniedOperation => {
      const current = findTree(transaction, database);
      const tree = recorded?.kind === 'write' ? new OverlayTree(current, recorded.before) : current;
      const operation =
        recorded === undefined
          ? operationOf(denial, auth, tree, known ?? unknownWrites(denial))
          : decidedOperation(recorded, tree);
      return { operation, uid: user.uid, tree, isValueKnown };
    };
    const drafted = await runSteps(scheduler, base, open);
    if (drafted.kind === 'none') return drafted;
    const effect = await findEffect(replay, place, database, base, drafted.rules.source, user.uid);
    return { kind: 'draft', source: drafted.rules.source, changes: drafted.changes, isValueKnown, effect };
  }

  /** Returns the recorded operation of a denial, with its values. */
  #findRecorded(database: string, denial: Denial): RecordedOperation | undefined {
    const { operations } = this.#options.recorder.read(database);
    const auth = denial.identity.kind === 'user' ? printJsonWithDoubles(denial.identity.auth) : null;
    return operations.findLast(
      (recorded) =>
        recorded.timeMs === denial.timeMs &&
        (recorded.kind === 'read') === (denial.query !== null) &&
        isSamePath(recorded, denial) &&
        printJsonWithDoubles(recorded.auth) === auth,
    );
  }
}

/** Runs the search for a proposal. Other requests run between its steps, because large rules take long to parse. */
async function runSteps(
  scheduler: TransactionScheduler,
  base: RuleSet,
  open: (transaction: WriteTransaction) => DeniedOperation,
): Promise<DraftedProposal> {
  let current: WriteTransaction | undefined;
  const steps = proposeRules(base, () => {
    if (current === undefined) throw new Error('Bug: a step of a proposal runs outside a transaction');
    return open(current);
  });
  for (;;) {
    const step = await scheduler.request((transaction) => {
      current = transaction;
      return steps.next();
    });
    if (step.done === true) return step.value;
  }
}

async function findEffect(
  replay: Replay,
  place: Lease,
  database: string,
  base: RuleSet,
  source: string,
  uid: string,
): Promise<ProposalEffect> {
  let ofUser = 0;
  let ofOthers = 0;
  const report = await replay.runIn(place, database, source, {
    base,
    observe: ({ isAllowed, recorded: { auth } }) => {
      if (!isAllowed) return;
      const { uid: other }: { readonly uid?: unknown } = Object(auth);
      if (other === uid) ofUser++;
      else ofOthers++;
    },
  });
  return { report, ofUser, ofOthers };
}

function isSamePath(recorded: RecordedOperation, { paths, pathCount }: Denial): boolean {
  if (recorded.kind === 'read') return printPath(recorded.path) === paths[0];
  const { writes } = recorded;
  return (
    writes.length === pathCount &&
    paths.every((path, index) => {
      const write = writes[index];
      return write !== undefined && path === printPath(targetOf(write));
    })
  );
}

function targetOf({ kind, path }: ProposedWrite): readonly string[] {
  return kind === 'priority' ? [...path, '.priority'] : path;
}

/** Returns the writes of a denial with their values; `undefined` if the log does not have them. */
function knownWrites({ operation, values, paths, pathCount }: Denial): readonly ProposedWrite[] | undefined {
  if (values !== null) return values.writes.map(parseWrite);
  if (operation !== 'DELETE' || pathCount !== 1) return undefined;
  return paths.map((path) => ({ kind: 'node', path: parsePath(path), node: null }));
}

/** Returns the writes of a denial with other values. */
function unknownWrites({ paths }: Denial): readonly ProposedWrite[] {
  return paths.map((text) => {
    const { path, isPriority } = parseWritePath(text);
    return isPriority
      ? { kind: 'priority', path, priority: null }
      : { kind: 'node', path, node: leafNode(true) };
  });
}

function operationOf(
  denial: Denial,
  auth: AuthObject,
  tree: RuleTree,
  writes: readonly ProposedWrite[],
): DecidedOperation {
  const common = { auth, now: denial.timeMs, tree };
  if (denial.query === null) return { kind: 'write', write: { ...common, writes } };
  const [path = ''] = denial.paths;
  return { kind: 'read', read: { ...common, path: parsePath(path), query: denial.query } };
}
