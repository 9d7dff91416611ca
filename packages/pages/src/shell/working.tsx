import { keyframes } from '@emotion/react';
import { styled } from '@mui/material/styles';

const passing = keyframes({ from: { translate: '-100%' }, to: { translate: '300%' } });

/** Shows that something is on its way, to those who look; who listens hears the heading. */
export const Working = styled('div')(({ theme }) => ({
  height: 4,
  overflow: 'hidden',
  borderRadius: 2,
  background: theme.palette.divider,
  '&::after': {
    content: '""',
    display: 'block',
    width: '40%',
    height: '100%',
    borderRadius: 2,
    background: theme.palette.primary.main,
    animation: `${passing} 1.4s ease-in-out infinite`,
  },
}));
