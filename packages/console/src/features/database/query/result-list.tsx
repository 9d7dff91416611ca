import DeleteIcon from '@mui/icons-material/DeleteOutlined';
import IconButton from '@mui/material/IconButton';
import { styled } from '@mui/material/styles';
import { memo, type ReactNode, useCallback, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useRights } from '../../../session/session.ts';
import { useFocusAfter } from '../../../ui/interaction.ts';
import { reportFailure } from '../../../ui/notices.tsx';
import { showControls } from '../../../ui/text.tsx';
import { meaningColor } from '../../../ui/theme.ts';
import { EditConflict } from '../edit/conflict-dialog.tsx';
import { RemoveDialog } from '../edit/node-dialogs.tsx';
import { DetachedEditor, InlineEditor, useValueEdit, type ValueEditor } from '../edit/value-editor.tsx';
import { printExact, readLeaf } from '../model/leaf-value.ts';
import type { DataLocation } from '../model/location.ts';
import { lastKeyOf, type NodePath } from '../model/node-path.ts';
import { StageSign, stageStyles } from '../staging/marks.tsx';
import { type RowStage, stagedDifferences } from '../staging/overlay.ts';
import type { StagedList } from '../staging/store.ts';
import { useNodeActions } from '../staging/use-node-actions.ts';
import { useStage } from '../staging/use-staging.ts';
import { listFrame } from './node-list.tsx';
import type { ResultRow, ResultValue } from './result-rows.ts';

const List = styled('ul')(({ theme }) => ({
  ...listFrame(theme),
  ...stageStyles(theme),
  '& li': {
    display: 'flex',
    alignItems: 'flex-start',
    padding: theme.spacing(0.5, 1.5),
    borderBlockEnd: `1px solid ${theme.palette.divider}`,
    // Rows outside of the screen are not laid out.
    contentVisibility: 'auto',
    containIntrinsicSize: 'auto 36px',
  },
  '& .fields': {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    columnGap: theme.spacing(1.5),
    rowGap: theme.spacing(0.25),
    flex: 1,
    minWidth: 0,
    minHeight: 34,
  },
  // On a phone, each result is a card: its key is the title.
  [theme.breakpoints.down('sm')]: {
    '& .fields > a': { flex: '1 1 100%', paddingBlock: theme.spacing(1) },
    '& .fields > .edited': { flexWrap: 'wrap' },
  },
  '& a': {
    color: meaningColor(theme, 'key'),
    fontWeight: 600,
    textDecoration: 'none',
    maxWidth: '100%',
    overflowWrap: 'anywhere',
  },
  '& a:hover': { textDecoration: 'underline' },
  '& .field': {
    display: 'flex',
    alignItems: 'center',
    gap: theme.spacing(0.5),
    minWidth: 0,
    maxWidth: '100%',
  },
  '& .field.edited': { flex: '1 1 100%', gap: theme.spacing(1) },
  '& .name': { color: theme.palette.text.secondary, flexShrink: 0 },
  '& .shown': {
    minWidth: 0,
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
    font: 'inherit',
    textAlign: 'start',
    border: 0,
    background: 'none',
    borderRadius: 4,
    padding: theme.spacing(0.25, 0.5),
  },
  '& button.shown': { cursor: 'text' },
  '& button.shown:hover': { background: theme.palette.action.hover },
  '& button.shown:focus-visible': { outline: `2px solid ${theme.palette.primary.main}` },
  '@media (pointer: coarse)': { '& button.shown': { minHeight: 36 } },
  '& .string': { color: meaningColor(theme, 'string') },
  '& .number': { color: meaningColor(theme, 'number') },
  '& .boolean': { color: meaningColor(theme, 'boolean') },
  '& .object': { color: theme.palette.text.secondary },
}));

interface ResultListProps {
  readonly label: string;
  readonly rows: readonly ResultRow[];
  readonly location: DataLocation;
}

/** Lists the results of a filter. Their values are edited in place, and each result can be deleted. */
export function ResultList({ label, rows, location }: ResultListProps) {
  const { t } = useTranslation('data');
  const { database } = location;
  const { mayChange } = useRights();
  const { list: staged } = useStage(database);
  // The listen of the filter shows what has changed.
  const actions = useNodeActions(database, ignore);
  const editor = useValueEdit(actions);
  const { edit } = editor;
  const [removed, setRemoved] = useState<NodePath | null>(null);
  const frame = useRef<HTMLUListElement>(null);
  const last = useRef<NodePath | null>(null);
  if (edit !== null) last.current = edit.path;
  const focusLast = useCallback(
    () =>
      frame.current
        ?.querySelector<HTMLElement>(`[data-path="${CSS.escape(last.current ?? '')}"]`)
        ?.focus({ preventScroll: true }),
    [],
  );
  useFocusAfter(edit === null, focusLast);
  const shown = rows.flatMap(({ values }) => values).find(({ path }) => path === edit?.path);
  const signs = useMemo(() => signsOf(rows, staged), [rows, staged]);
  const view = edit !== null && (
    <InlineEditor
      editor={editor}
      edit={edit}
      label={t('edit.valueOf', { key: lastKeyOf(edit.path) })}
      otherValue={shown === undefined ? null : findOtherValue(shown, edit.seen.text)}
      close={editor.close}
    />
  );
  return (
    <>
      {edit !== null && shown === undefined && <DetachedEditor path={edit.path}>{view}</DetachedEditor>}
      <EditConflict editor={editor} close={editor.close} />
      <List ref={frame} aria-label={label}>
        {rows.map((row) => {
          const isEdited = shown !== undefined && row.values.includes(shown);
          return (
            <Result
              key={row.key}
              row={row}
              location={location}
              sign={signs.get(row.path)}
              mayChange={mayChange}
              editedPath={isEdited ? shown.path : null}
              view={isEdited ? view : null}
              open={editor.open}
              remove={setRemoved}
            />
          );
        })}
      </List>
      {removed !== null && (
        <RemoveDialog
          isStaged={actions.isStaged}
          database={database}
          paths={[removed]}
          remove={actions.remove}
          close={() => setRemoved(null)}
        />
      )}
    </>
  );
}

function ignore(): void {}

/** Returns the signs of the results that staged edits change. */
function signsOf(rows: readonly ResultRow[], staged: StagedList): ReadonlyMap<NodePath, RowStage['sign']> {
  const signs = new Map<NodePath, RowStage['sign']>();
  if (staged.length === 0) return signs;
  for (const { path } of rows) {
    const [first] = stagedDifferences(path, staged);
    if (first !== undefined) signs.set(path, first.keys.length === 0 ? first.sign : 'below');
  }
  return signs;
}

interface ResultProps {
  readonly row: ResultRow;
  readonly location: DataLocation;
  /** The sign of staged edits of the result. */
  readonly sign: RowStage['sign'] | undefined;
  readonly mayChange: boolean;
  /** The value of the row that is edited, and its editor. */
  readonly editedPath: NodePath | null;
  readonly view: ReactNode;
  readonly open: ValueEditor['open'];
  readonly remove: (path: NodePath) => void;
}

/** A result. Rendered again only if its own props change, because each key in the editor renders the list. */
const Result = memo(function Result(props: ResultProps) {
  const { row, location, sign, mayChange, editedPath, view, open, remove } = props;
  const { t } = useTranslation('data');
  const { key, path, values, objects, isCut } = row;
  return (
    <li>
      <div className="fields">
        {sign !== undefined && <StageSign sign={sign} />}
        <Link to={location.plainAddressOf(path)}>
          <bdi dir="ltr">{showControls(key)}</bdi>
        </Link>
        {values.map((value) => {
          const isEdited = value.path === editedPath;
          return (
            <div key={value.path} className={`field${isEdited ? ' edited' : ''}`}>
              {value.name !== null && (
                <bdi dir="ltr" className="name">
                  {showControls(value.name)}
                </bdi>
              )}
              {isEdited ? view : <Value value={value} mayChange={mayChange} open={open} />}
            </div>
          );
        })}
        {objects.map(({ path: at, name, preview }) => (
          <div key={at} className="field">
            <Link to={location.plainAddressOf(at)}>
              <bdi dir="ltr">{showControls(name)}</bdi>
            </Link>
            <bdi dir="ltr" className="shown object">
              {showControls(preview)}
            </bdi>
          </div>
        ))}
        {isCut && <span className="object">…</span>}
      </div>
      {mayChange && (
        <IconButton
          size="small"
          aria-label={t('query.remove', { key: showControls(key) })}
          onClick={() => remove(path)}
        >
          <DeleteIcon fontSize="small" />
        </IconButton>
      )}
    </li>
  );
});

interface ValueProps {
  readonly value: ResultValue;
  readonly mayChange: boolean;
  readonly open: ValueEditor['open'];
}

/** A value, which becomes an editor when the user activates it. */
function Value({ value: { path, kind, text }, mayChange, open }: ValueProps) {
  const { t } = useTranslation('data');
  const view = (
    <bdi dir="ltr" className={kind}>
      {showControls(text)}
    </bdi>
  );
  if (!mayChange) return <span className="shown">{view}</span>;
  return (
    <button
      type="button"
      className="shown"
      data-path={path}
      aria-label={`${t('edit.titleOf', { key: showControls(lastKeyOf(path)) })}: ${showControls(text)}`}
      onClick={() => open(path).catch(reportFailure)}
    >
      {view}
    </button>
  );
}

/** Returns the current value of an edited node, if it has changed since the edit began; otherwise `null`. */
function findOtherValue({ value, text }: ResultValue, seenText: string): string | null {
  const seen = readLeaf(seenText).value;
  // The SDK reads 64-bit integers as doubles.
  const before = typeof seen === 'bigint' ? Number(seen) : seen;
  return printExact(before, 0) === printExact(value, 0) ? null : showControls(text);
}
