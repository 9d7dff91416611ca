import { styled } from '@mui/material/styles';

interface NoticeProps {
  readonly tone: 'success' | 'error';
  /** Empty while there is nothing to say: what is put into a region that is there already is read out. */
  readonly text: string;
}

/** News for the reader, read out as soon as it is there. */
export function Notice({ tone, text }: NoticeProps) {
  return (
    <Region role={tone === 'error' ? 'alert' : 'status'} data-tone={tone}>
      {text}
    </Region>
  );
}

const Region = styled('div')(({ theme }) => ({
  padding: theme.spacing(1.5, 2),
  borderRadius: theme.shape.borderRadius,
  color: theme.palette.success.main,
  background: 'color-mix(in srgb, currentColor 10%, transparent)',
  '&[data-tone="error"]': { color: theme.palette.error.main },
  '&:empty': { position: 'absolute', padding: 0 },
}));
