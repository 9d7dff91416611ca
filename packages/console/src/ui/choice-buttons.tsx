import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';

interface ChoiceButtonsProps<Choice extends string> {
  /** Accessible name of the group. */
  readonly label: string;
  readonly choices: readonly { readonly id: Choice; readonly title: string }[];
  readonly chosen: Choice;
  readonly choose: (choice: Choice) => void;
}

/** Toggle buttons for a few choices, of which one is selected. */
export function ChoiceButtons<Choice extends string>({
  label,
  choices,
  chosen,
  choose,
}: ChoiceButtonsProps<Choice>) {
  return (
    <ToggleButtonGroup
      exclusive
      size="small"
      aria-label={label}
      value={chosen}
      onChange={(_event, value: Choice | null) => {
        // Pressing the selected button keeps it selected.
        if (value !== null) choose(value);
      }}
      sx={{ flexWrap: 'wrap' }}
    >
      {choices.map(({ id, title }) => (
        <ToggleButton
          key={id}
          value={id}
          sx={{ textTransform: 'none', color: 'text.secondary', paddingInline: { xs: 1, sm: 1.5 } }}
        >
          {title}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}
