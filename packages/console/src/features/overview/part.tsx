import ChevronIcon from '@mui/icons-material/ChevronRight';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link as RouterLink } from 'react-router';
import type { Loadable } from '../../api/query-state.ts';
import { SectionCard } from '../../ui/sections.tsx';
import { Failure } from '../../ui/states.tsx';

/** Height of a row with two lines, in pixels. */
const ROW_HEIGHT_PX = 56;

/** Rows for which a part reserves space in wide windows, so that nothing moves when the rows are loaded. */
const RESERVED_ROWS = 5;

interface PartProps<T> {
  readonly title: string;
  /** A link to the complete list. */
  readonly actions?: ReactNode;
  readonly of: Loadable<T>;
  readonly children: (data: T) => ReactNode;
}

/** A part of the overview, which loads and fails independently of the others. */
export function Part<T>({ title, actions, of, children }: PartProps<T>) {
  return (
    <SectionCard title={title} actions={actions}>
      <Box sx={{ minHeight: { lg: RESERVED_ROWS * ROW_HEIGHT_PX } }}>
        <PartContent of={of}>{children}</PartContent>
      </Box>
    </SectionCard>
  );
}

function PartContent<T>({ of, children }: Pick<PartProps<T>, 'of' | 'children'>) {
  const { t } = useTranslation();
  switch (of.kind) {
    case 'loading':
      return (
        <Box role="progressbar" aria-label={t('loading')}>
          {Array.from({ length: RESERVED_ROWS }, (_, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all the same.
            <Skeleton key={row} height={ROW_HEIGHT_PX} sx={{ transform: 'none', marginBlockEnd: 0.25 }} />
          ))}
        </Box>
      );
    case 'forbidden':
      return <Failure error={of.error} />;
    case 'failed':
      return <Failure error={of.error} retry={of.retry} />;
    default:
      return children(of.data);
  }
}

interface RowListProps {
  readonly label: string;
  readonly children: ReactNode;
}

export function RowList({ label, children }: RowListProps) {
  return (
    <Box component="ul" aria-label={label} sx={{ listStyle: 'none', margin: 0, padding: 0 }}>
      {children}
    </Box>
  );
}

interface RowProps {
  readonly icon: ReactNode;
  readonly address: string;
  /** A second line. If it is too long, its end is cut off. */
  readonly details?: ReactNode;
  /** The text of the link. */
  readonly children: ReactNode;
}

/** A row of a list: an icon, and a link whose area is the whole row. */
export function Row({ icon, address, details, children }: RowProps) {
  return (
    <Box
      component="li"
      sx={{
        position: 'relative',
        display: 'flex',
        alignItems: 'flex-start',
        gap: 1.5,
        padding: 1,
        marginInline: -1,
        borderRadius: 0.5,
        '&:hover': { backgroundColor: 'action.hover' },
        '& time': { position: 'relative', zIndex: 1 },
      }}
    >
      <Box sx={{ display: 'flex', paddingBlockStart: '0.125rem' }}>{icon}</Box>
      <Box sx={{ minWidth: 0, flex: 1 }}>
        <Typography component="div" variant="body2">
          <Link
            component={RouterLink}
            to={address}
            color="inherit"
            underline="hover"
            sx={{ overflowWrap: 'anywhere', '&::after': { content: '""', position: 'absolute', inset: 0 } }}
          >
            {children}
          </Link>
        </Typography>
        {details !== undefined && (
          <Typography component="div" variant="caption" color="textSecondary" noWrap>
            {details}
          </Typography>
        )}
      </Box>
      <ChevronIcon
        aria-hidden
        fontSize="small"
        sx={{ alignSelf: 'center', color: 'text.secondary', '[dir=rtl] &': { transform: 'scaleX(-1)' } }}
      />
    </Box>
  );
}
