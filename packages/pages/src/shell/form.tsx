import { styled } from '@mui/material/styles';

/** A form within a card, spaced as the card is. */
export const Form = styled('form')(({ theme }) => ({
  display: 'flex',
  flexDirection: 'column',
  gap: theme.spacing(2),
}));
