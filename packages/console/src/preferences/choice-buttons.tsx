import Box from '@mui/material/Box';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import Typography from '@mui/material/Typography';
import { useId } from 'react';

interface ChoiceButtonsProps<Id extends string> {
  readonly label: string;
  readonly value: Id;
  readonly choices: readonly { readonly id: Id; readonly title: string }[];
  choose(id: Id): void;
}

/** One of a few choices, all of which are seen. */
export function ChoiceButtons<Id extends string>({ label, value, choices, choose }: ChoiceButtonsProps<Id>) {
  const labelId = useId();
  return (
    <Box>
      <Typography id={labelId} variant="caption" component="div" color="textSecondary">
        {label}
      </Typography>
      <ToggleButtonGroup
        exclusive
        fullWidth
        size="small"
        value={value}
        aria-labelledby={labelId}
        onChange={(_event, chosen: Id | null) => {
          if (chosen !== null) choose(chosen);
        }}
      >
        {choices.map(({ id, title }) => (
          <ToggleButton key={id} value={id} sx={{ textTransform: 'none' }}>
            {title}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
    </Box>
  );
}
