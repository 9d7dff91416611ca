import Box from '@mui/material/Box';
import Tooltip from '@mui/material/Tooltip';
import type { ReactElement } from 'react';
import type { Keys } from './keys.ts';
import { KeysText } from './keys-text.tsx';

interface KeysTooltipProps {
  readonly title: string;
  readonly keys: Keys;
  readonly placement?: 'bottom' | 'right';
  readonly children: ReactElement<Record<string, unknown>>;
}

/** Says what a button does, and by which keys that is done without it. */
export function KeysTooltip({ title, keys, placement = 'bottom', children }: KeysTooltipProps) {
  return (
    <Tooltip
      describeChild
      placement={placement}
      title={
        <Box component="span" sx={{ display: 'inline-flex', gap: 1, alignItems: 'center' }}>
          {title}
          <KeysText keys={keys} />
        </Box>
      }
    >
      {children}
    </Tooltip>
  );
}
