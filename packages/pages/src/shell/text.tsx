import { styled } from '@mui/material/styles';

/** A paragraph in a card. */
export const Text = styled('p')(({ theme }) => ({ margin: 0, color: theme.palette.text.secondary }));

/** Text for screen readers only. */
export const VisuallyHidden = styled('span')({
  position: 'absolute',
  width: 1,
  height: 1,
  margin: -1,
  overflow: 'hidden',
  clipPath: 'inset(50%)',
  whiteSpace: 'nowrap',
});

interface FactsProps {
  /** Labels with their values. */
  readonly facts: readonly { readonly label: string; readonly value: string }[];
}

/** Facts that the user should check before continuing. Values keep their own text direction. */
export function Facts({ facts }: FactsProps) {
  return (
    <List>
      {facts.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <bdi>{value}</bdi>
          </dd>
        </div>
      ))}
    </List>
  );
}

const List = styled('dl')(({ theme }) => ({
  margin: 0,
  padding: theme.spacing(1.5, 2),
  display: 'grid',
  gap: theme.spacing(1),
  borderRadius: theme.shape.borderRadius,
  background: theme.palette.background.default,
  '& dt': { fontSize: '0.8125rem', color: theme.palette.text.secondary },
  '& dd': { margin: 0, fontWeight: 600 },
}));

interface NoticeProps {
  readonly tone: 'success' | 'error';
  /** Empty if there is nothing to announce. Screen readers announce text that is added to an existing live region. */
  readonly text: string;
}

/** A message that screen readers announce when its text changes. */
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
