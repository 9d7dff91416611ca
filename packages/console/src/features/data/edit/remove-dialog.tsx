import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { CodeText } from '../../../elements/code-text.tsx';
import { ConfirmDialog } from '../../../elements/confirm-dialog.tsx';
import { printBytes } from '../../../elements/print-bytes.ts';
import { showControls } from '../../../elements/show-controls.ts';
import { measureEntries, type NodeSize } from '../../../server/data-nodes.ts';
import { useApi } from '../../../session/session.ts';
import { lastKeyOf, type NodePath, ROOT_PATH } from '../model/node-path.ts';

/** From this many values on, the key must be typed. */
const MANY = 1_000;
/** A key that is longer is not asked to be typed. */
const LONGEST_TYPED = 60;
/** Nodes of which all are named; of more, so many. */
const NAMED = 5;

interface RemoveDialogProps {
  readonly database: string;
  readonly paths: readonly NodePath[];
  readonly remove: (paths: readonly NodePath[]) => Promise<void>;
  readonly close: () => void;
}

/** Asks before nodes are removed, and says how much that is. */
export function RemoveDialog({ database, paths, remove, close }: RemoveDialogProps) {
  const { t, i18n } = useTranslation('data');
  const api = useApi();
  const {
    data: size,
    error,
    refetch,
  } = useQuery({
    queryKey: ['data-size', database, paths],
    queryFn: ({ signal }) => sumSizes(paths, (path) => measureEntries(api, database, path, signal)),
    gcTime: 0,
  });
  const number = (value: number): string => value.toLocaleString(i18n.language);
  const [first] = paths;
  if (first === undefined) return null;
  const typed =
    size === undefined || size.entries < MANY
      ? undefined
      : nameToType(paths.length === 1 ? first : ROOT_PATH);
  /** The key of a node, unless nobody could type it from what is seen; else the name of the database. */
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
        {size !== undefined
          ? t('remove.size', {
              count: size.entries,
              number: number(size.entries),
              bytes: printBytes(size.bytes, i18n.language),
            })
          : error === null
            ? t('remove.measuring')
            : error.message}
      </Typography>
      {size === undefined && error !== null && (
        <Button onClick={() => void refetch()} sx={{ alignSelf: 'flex-start' }}>
          {t('retry', { ns: 'shell' })}
        </Button>
      )}
    </ConfirmDialog>
  );
}

async function sumSizes(
  paths: readonly NodePath[],
  measure: (path: NodePath) => Promise<NodeSize>,
): Promise<NodeSize> {
  let sum: NodeSize = { entries: 0, bytes: 0 };
  for (const path of paths) {
    const { entries, bytes } = await measure(path);
    sum = { entries: sum.entries + entries, bytes: sum.bytes + bytes };
  }
  return sum;
}
