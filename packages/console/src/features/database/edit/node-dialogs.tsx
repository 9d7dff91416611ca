import { isKey } from '@hearth/core/tree/key.ts';
import { pushKey } from '@hearth/core/tree/push-key.ts';
import { MONOSPACE } from '@hearth/pages/shell/monospace.ts';
import Button from '@mui/material/Button';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Api } from '../../../api/client.ts';
import { countChildren } from '../../../api/data.ts';
import { measureEntries, type NodeSize } from '../../../api/data-nodes.ts';
import { useApi } from '../../../session/session.ts';
import { ConfirmDialog } from '../../../ui/dialogs.tsx';
import { CodeText, printBytes, showControls } from '../../../ui/text.tsx';
import { DAY_MS, useUndoLimits } from '../changes/use-limits.ts';
import { changeKind, parseDraft, VALUE_KINDS, type ValueDraft } from '../model/leaf-value.ts';
import {
  isAtOrBelow,
  joinPath,
  keysOf,
  lastKeyOf,
  type NodePath,
  parentOf,
  parseTypedPath,
  ROOT_PATH,
} from '../model/node-path.ts';

interface AddChildDialogProps {
  /** The parent of the new child; `null` while the dialog is closed. */
  readonly parent: NodePath | null;
  /** Rejects with an error whose message is shown to the user. */
  readonly add: (parent: NodePath, key: string, value: unknown) => Promise<void>;
  readonly close: () => void;
}

/** Asks for the key and value of a new child. */
export function AddChildDialog({ parent, add, close }: AddChildDialogProps) {
  return parent === null ? null : <AddChildForm parent={parent} add={add} close={close} />;
}

function AddChildForm({ parent, add, close }: AddChildDialogProps & { readonly parent: NodePath }) {
  const { t } = useTranslation('data');
  const [key, setKey] = useState('');
  const [draft, setDraft] = useState<ValueDraft>({ kind: 'string', text: '' });
  const isBadKey = key !== '' && !isKey(key);
  const parsed = parseDraft(draft);
  return (
    <ConfirmDialog
      isOpen
      title={t('add.title')}
      action={t('add.action')}
      run={async () => {
        if (!isKey(key)) throw new Error(t('add.keyRule'));
        if (parsed.kind === 'problem') throw new Error(t(`edit.problem.${parsed.problem}`));
        await add(parent, key, parsed.value);
      }}
      close={close}
    >
      <span>
        {t('add.to')} <CodeText>{showControls(parent)}</CodeText>
      </span>
      <TextField
        autoFocus
        required
        fullWidth
        label={t('add.key')}
        value={key}
        error={isBadKey}
        helperText={isBadKey ? t('add.keyRule') : t('add.keyHint')}
        onChange={({ target }) => setKey(target.value)}
        slotProps={{
          htmlInput: { dir: 'auto', style: { fontFamily: MONOSPACE }, autoComplete: 'off' },
          input: {
            endAdornment: (
              <Button size="small" onClick={() => setKey(newPushKey())} sx={{ flexShrink: 0 }}>
                {t('add.pushKey')}
              </Button>
            ),
          },
        }}
      />
      <TextField
        select
        label={t('edit.kind')}
        value={draft.kind}
        onChange={({ target }) => {
          const kind = VALUE_KINDS.find((one) => one === target.value);
          if (kind !== undefined) setDraft(changeKind(draft, kind));
        }}
      >
        {VALUE_KINDS.map((kind) => (
          <MenuItem key={kind} value={kind}>
            {t(`kinds.${kind}`)}
          </MenuItem>
        ))}
      </TextField>
      {draft.kind === 'boolean' ? (
        <TextField
          select
          label={t('add.value')}
          value={draft.text}
          onChange={({ target }) => setDraft({ kind: 'boolean', text: target.value })}
        >
          <MenuItem value="true">true</MenuItem>
          <MenuItem value="false">false</MenuItem>
        </TextField>
      ) : (
        <TextField
          fullWidth
          label={t('add.value')}
          value={draft.text}
          multiline={draft.kind !== 'number'}
          maxRows={12}
          error={draft.text !== '' && parsed.kind === 'problem'}
          helperText={
            draft.text !== '' && parsed.kind === 'problem' ? t(`edit.problem.${parsed.problem}`) : ' '
          }
          onChange={({ target }) => setDraft({ ...draft, text: target.value })}
          slotProps={{
            htmlInput: { dir: draft.kind === 'string' ? 'auto' : 'ltr', style: { fontFamily: MONOSPACE } },
          }}
        />
      )}
    </ConfirmDialog>
  );
}

function newPushKey(): string {
  return pushKey(Date.now(), crypto.getRandomValues(new Uint8Array(12)), undefined).key;
}

/** Maximum depth of a tree, counted from its root. */
const MAX_DEPTH = 32;

/** A request of the user to rename, move or duplicate a node. */
export interface MoveRequest {
  readonly kind: 'rename' | 'move' | 'duplicate';
  readonly path: NodePath;
}

interface MoveDialogProps {
  readonly request: MoveRequest | null;
  readonly move: (request: MoveRequest, to: NodePath) => Promise<void>;
  readonly close: () => void;
}

/** Asks for the new key or path of a node. */
export function MoveDialog({ request, move, close }: MoveDialogProps) {
  return request === null ? null : <MoveForm request={request} move={move} close={close} />;
}

function MoveForm({ request, move, close }: MoveDialogProps & { readonly request: MoveRequest }) {
  const { t } = useTranslation('data');
  const { kind, path } = request;
  const isRename = kind === 'rename';
  const [text, setText] = useState(
    kind === 'rename' ? lastKeyOf(path) : kind === 'move' ? path : `${path}-${t('move.copySuffix')}`,
  );
  const to = isRename ? joinPath(parentOf(path), text) : parseTypedPath(text);
  const problem = findProblem();
  function findProblem(): string | null {
    const keys = isRename ? [text] : keysOf(to);
    if (keys.length === 0 || !keys.every(isKey)) return t('add.keyRule');
    if (keysOf(to).length > MAX_DEPTH) return t('move.tooDeep', { count: MAX_DEPTH });
    if (to === path) return t('move.same');
    return isAtOrBelow(to, path) || isAtOrBelow(path, to) ? t('move.inside') : null;
  }
  return (
    <ConfirmDialog
      isOpen
      title={t(`move.${kind}`)}
      action={t(`move.${kind}Action`)}
      run={async () => {
        if (problem !== null) throw new Error(problem);
        await move(request, to);
      }}
      close={close}
    >
      <CodeText>{showControls(path)}</CodeText>
      <TextField
        autoFocus
        fullWidth
        required
        label={t(isRename ? 'move.newKey' : 'move.newPath')}
        value={text}
        error={problem !== null && text !== '' && to !== path}
        helperText={problem !== null && to !== path ? problem : t('move.hint')}
        onChange={({ target }) => setText(target.value)}
        onFocus={({ target }) => target.select()}
        slotProps={{ htmlInput: { dir: 'ltr', style: { fontFamily: MONOSPACE }, autoComplete: 'off' } }}
      />
    </ConfirmDialog>
  );
}

/** From this number of children or entries (see `NodeSize`) on, the user must type the key, or the name of the database, to confirm. */
const MANY = 1_000;
/** Maximum length of a key that the user must type. */
const LONGEST_TYPED = 60;
/** Maximum number of paths that the dialog lists. */
const NAMED = 5;

interface RemoveDialogProps {
  readonly database: string;
  readonly paths: readonly NodePath[];
  /** Whether the removal is staged instead of written. */
  readonly isStaged: boolean;
  readonly remove: (paths: readonly NodePath[]) => Promise<void>;
  readonly close: () => void;
}

/** Asks for confirmation before nodes are removed. Shows how large they are, and whether the removal can be undone. */
export function RemoveDialog({ database, paths, isStaged, remove, close }: RemoveDialogProps) {
  const { t, i18n } = useTranslation('data');
  const api = useApi();
  const {
    data: size,
    error,
    refetch,
  } = useQuery({
    queryKey: ['data-size', database, paths],
    queryFn: ({ signal }) => sumSizes(paths, (path) => measureWithChildren(api, database, path, signal)),
    gcTime: 0,
  });
  const limits = useUndoLimits(database);
  const isFinal =
    size !== undefined && limits !== undefined && (size.bytes > limits.bytes || paths.length > limits.paths);
  const number = (value: number): string => value.toLocaleString(i18n.language);
  const [first] = paths;
  if (first === undefined) return null;
  const typed =
    size === undefined || Math.max(size.entries, size.children) < MANY
      ? undefined
      : nameToType(paths.length === 1 ? first : ROOT_PATH);
  function explainSize({ children: count, bytes: byteCount }: RemovedSize): string {
    const bytes = printBytes(byteCount, i18n.language);
    if (count === 0) return t('remove.bytes', { bytes });
    const children = t('tree.children', { count, number: number(count) });
    return t('remove.size', { children, bytes });
  }
  /** Returns the key of a node if the user can type it as shown, otherwise the name of the database. */
  function nameToType(path: NodePath): string {
    const key = lastKeyOf(path);
    const isTypable = key !== '' && key.length <= LONGEST_TYPED && showControls(key) === key;
    return isTypable ? key : database;
  }
  return (
    <ConfirmDialog
      isOpen
      title={t('remove.title', { count: paths.length, number: number(paths.length) })}
      action={t('remove.action')}
      isDestructive
      {...(typed === undefined ? {} : { typed })}
      run={() => remove(paths)}
      close={close}
    >
      {paths.slice(0, NAMED).map((path) => (
        <CodeText key={path}>{showControls(path)}</CodeText>
      ))}
      {paths.length > NAMED && (
        <Typography>
          {t('remove.more', { count: paths.length - NAMED, number: number(paths.length - NAMED) })}
        </Typography>
      )}
      <Typography role="status">
        {size !== undefined ? explainSize(size) : error === null ? t('remove.measuring') : error.message}
      </Typography>
      {size !== undefined && !isStaged && limits !== undefined && (
        <Typography color={isFinal ? 'warning' : 'textSecondary'}>
          {isFinal
            ? t('remove.final', {
                limit: printBytes(limits.bytes, i18n.language),
                paths: number(limits.paths),
              })
            : t('remove.undoable', { count: limits.ageMs / DAY_MS })}
        </Typography>
      )}
      {size === undefined && error !== null && (
        <Button onClick={() => void refetch()} sx={{ alignSelf: 'flex-start' }}>
          {t('retry', { ns: 'shell' })}
        </Button>
      )}
    </ConfirmDialog>
  );
}

interface RemovedSize extends NodeSize {
  /** Number of children, without those below them. */
  readonly children: number;
}

async function measureWithChildren(
  api: Api,
  database: string,
  path: NodePath,
  signal: AbortSignal,
): Promise<RemovedSize> {
  const size = await measureEntries(api, database, path, signal);
  let children = 0;
  for await (const { count } of countChildren(api, database, path, signal)) children = count;
  return { ...size, children };
}

async function sumSizes(
  paths: readonly NodePath[],
  measure: (path: NodePath) => Promise<RemovedSize>,
): Promise<RemovedSize> {
  let sum: RemovedSize = { entries: 0, bytes: 0, children: 0 };
  for (const path of paths) {
    const { entries, bytes, children } = await measure(path);
    sum = { entries: sum.entries + entries, bytes: sum.bytes + bytes, children: sum.children + children };
  }
  return sum;
}
