import { styled } from '@mui/material/styles';

interface FactsProps {
  /** Addresses and names, each with what it is. */
  readonly facts: readonly { readonly label: string; readonly value: string }[];
}

/** What the reader should look at before going on. Values keep their own direction. */
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
