import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  type ImportDifference,
  type ImportMode,
  type ImportPreview,
  previewImport,
} from '../../../api/data-transfer.ts';
import { useApi } from '../../../session/session.ts';
import { Failure } from '../../../ui/states.tsx';
import { CodeText, HEARD_ONLY, printBytes, showControls } from '../../../ui/text.tsx';
import { requireExactNumbers } from '../model/exact-numbers.ts';
import { joinPath, keysOf, type NodePath } from '../model/node-path.ts';

/** Largest file that is compared without a request of the user, in bytes. A comparison uploads the file. */
const MAX_AUTOMATIC_BYTES = 32 * 2 ** 20;

/** Maximum number of differences of each kind that the server lists. */
const MAX_LISTED = 50;

/** The first part of the keys of all queries for previews. */
export const PREVIEW_KEY = 'import-preview';

interface PreviewRequest {
  readonly database: string;
  readonly path: NodePath;
  /** The data to import, or `null` while there is none. */
  readonly source: Blob | null;
  /** A number that is different for each source. */
  readonly sourceId: number;
  readonly mode: ImportMode;
}

/** The state of the preview of an import. */
export type PreviewState =
  | { readonly kind: 'none' }
  /** The file is large, so the user has to request the comparison. */
  | { readonly kind: 'offered'; readonly bytes: number; readonly start: () => void }
  | { readonly kind: 'running' }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'ready'; readonly preview: ImportPreview };

/** Compares the source of an import with the data. */
export function useImportPreview(request: PreviewRequest, explain: (error: unknown) => Error): PreviewState {
  const { database, path, source, sourceId, mode } = request;
  const api = useApi();
  const [requestedId, setRequestedId] = useState<number | null>(null);
  const isWanted = source !== null && (source.size <= MAX_AUTOMATIC_BYTES || requestedId === sourceId);
  const { data, error, isFetching } = useQuery({
    queryKey: [PREVIEW_KEY, database, path, mode, sourceId],
    queryFn: async ({ signal }) => {
      const file = source ?? new Blob();
      await requireExactNumbers(file, signal);
      return await previewImport(api, database, { path, mode, file }, signal);
    },
    enabled: isWanted,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (source === null) return { kind: 'none' };
  if (!isWanted) return { kind: 'offered', bytes: source.size, start: () => setRequestedId(sourceId) };
  if (data !== undefined) return { kind: 'ready', preview: data };
  if (error !== null && !isFetching) return { kind: 'failed', error: explain(error) };
  return { kind: 'running' };
}

const SIGNS = { added: '+', changed: '~', removed: '−' } as const;
const COLORS = { added: 'success.main', changed: 'warning.main', removed: 'error.main' } as const;
const KINDS = ['added', 'changed', 'removed'] as const;

/** Shows what an import would add, change and remove. */
export function PreviewView({ state, path }: { readonly state: PreviewState; readonly path: NodePath }) {
  const { t, i18n } = useTranslation('data');
  switch (state.kind) {
    case 'none':
      return null;
    case 'offered':
      return (
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, flexWrap: 'wrap' }}>
          <Typography variant="body2">
            {t('transfer.preview.large', { bytes: printBytes(state.bytes, i18n.language) })}
          </Typography>
          <Button size="small" onClick={state.start}>
            {t('transfer.preview.start')}
          </Button>
        </Box>
      );
    case 'running':
      return (
        <Box>
          <Typography role="status" variant="body2">
            {t('transfer.preview.running')}
          </Typography>
          <LinearProgress aria-label={t('transfer.preview.running')} />
        </Box>
      );
    case 'failed':
      return <Failure error={state.error} />;
    case 'ready':
      return <Differences preview={state.preview} path={path} />;
    default:
      return state satisfies never;
  }
}

function Differences({ preview, path }: { readonly preview: ImportPreview; readonly path: NodePath }) {
  const { t, i18n } = useTranslation('data');
  const { counts, differences } = preview;
  const total = counts.added + counts.changed + counts.removed;
  // A listed object counts as all of its values.
  const isCut = KINDS.some((kind) => differences.filter((one) => one.kind === kind).length >= MAX_LISTED);
  const print = (number: number): string => number.toLocaleString(i18n.language);
  return (
    <Box>
      <Typography role="status" sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 2 }}>
        {total === 0
          ? t('transfer.preview.nothing')
          : KINDS.map((kind) => (
              <span key={kind}>{t(`transfer.preview.${kind}`, { number: print(counts[kind]) })}</span>
            ))}
      </Typography>
      {differences.length > 0 && (
        <Box
          component="ul"
          tabIndex={0}
          aria-label={t('transfer.preview.list')}
          sx={{
            listStyle: 'none',
            m: 0,
            mt: 1,
            p: 1,
            maxHeight: 220,
            overflow: 'auto',
            border: 1,
            borderColor: 'divider',
            borderRadius: 1,
          }}
        >
          {KINDS.flatMap((kind) => differences.filter((one) => one.kind === kind)).map((difference) => (
            <DifferenceLine
              key={`${difference.kind} ${difference.path}`}
              difference={difference}
              path={path}
            />
          ))}
        </Box>
      )}
      {isCut && (
        <Typography variant="body2" color="textSecondary">
          {t('transfer.preview.first', { number: print(differences.length) })}
        </Typography>
      )}
    </Box>
  );
}

function DifferenceLine({
  difference,
  path,
}: {
  readonly difference: ImportDifference;
  readonly path: NodePath;
}) {
  const { t } = useTranslation('data');
  const { kind, path: below, before, after } = difference;
  const at = keysOf(below).reduce<NodePath>((here, key) => joinPath(here, key), path);
  const texts = [before, after].filter((text) => text !== null && text !== '').map(String);
  return (
    <Box component="li" sx={{ display: 'flex', gap: 1, alignItems: 'baseline' }}>
      <Box component="span" sx={{ color: COLORS[kind], fontWeight: 700, flexShrink: 0 }}>
        <span aria-hidden>{SIGNS[kind]}</span>
        <Box component="span" sx={HEARD_ONLY}>
          {t(`transfer.preview.signs.${kind}`)}
        </Box>
      </Box>
      <Box component="bdi" dir="ltr" sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
        <CodeText>{showControls(at)}</CodeText>
        {texts.length > 0 && (
          <Box component="span" sx={{ color: 'text.secondary' }}>
            {' '}
            {texts.map(showControls).join(' → ')}
          </Box>
        )}
      </Box>
    </Box>
  );
}
