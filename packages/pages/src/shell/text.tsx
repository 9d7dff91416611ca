import { styled } from '@mui/material/styles';

/** A paragraph within a card. */
export const Text = styled('p')(({ theme }) => ({ margin: 0, color: theme.palette.text.secondary }));
