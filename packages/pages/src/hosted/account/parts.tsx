import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import type { ReactNode } from 'react';

/** A part of the account, with its heading. */
export function Section({ heading, children }: { readonly heading: string; readonly children: ReactNode }) {
  return (
    <Part>
      <h2>{heading}</h2>
      {children}
    </Part>
  );
}

const Part = styled('section')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(1),
  paddingTop: theme.spacing(2),
  borderTop: `1px solid ${theme.palette.divider}`,
  '& h2': { margin: 0, fontSize: '1.0625rem', fontWeight: 650 },
  '& ul': { margin: 0, padding: 0, listStyle: 'none', display: 'grid', gap: theme.spacing(1) },
}));

interface RowProps {
  readonly title: string;
  readonly details?: readonly string[];
  readonly children?: ReactNode;
}

/** A fact of the account with the buttons that change it. Values keep their own text direction. */
export function Row({ title, details = [], children }: RowProps) {
  return (
    <Line>
      <div>
        <div>
          <bdi>{title}</bdi>
        </div>
        {details.map((detail) => (
          <small key={detail}>
            <bdi>{detail}</bdi>
          </small>
        ))}
      </div>
      {children}
    </Line>
  );
}

const Line = styled('div')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  justifyContent: 'space-between',
  gap: theme.spacing(1),
  '& > div': { minWidth: 0 },
  '& small': { display: 'block', color: theme.palette.text.secondary },
}));

interface RowButtonProps {
  readonly label: string;
  /** The name of the row, for screen readers, which read a button without its row. */
  readonly of?: string;
  readonly onPress: () => void;
}

/** A button in a row or below the rows of a section. */
export function RowButton({ label, of, onPress }: RowButtonProps) {
  return (
    <Button
      size="small"
      disableRipple
      // The text aligns with the heading, and the padding reaches beyond it.
      sx={{ flex: 'none', justifySelf: 'start', marginInline: '-5px' }}
      {...(of === undefined ? {} : { 'aria-label': `${label}: ${of}` })}
      onClick={onPress}
    >
      {label}
    </Button>
  );
}
