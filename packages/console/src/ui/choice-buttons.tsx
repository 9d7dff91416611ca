import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';

interface ChoiceButtonsProps<Choice extends string> {
  /** What is chosen. */
  readonly label: string;
  readonly choices: readonly { readonly id: Choice; readonly title: string }[];
  readonly chosen: Choice;
  readonly choose: (choice: Choice) => void;
}

/** A choice among few, all of which are seen. */
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
        // The chosen one stays chosen when it is pressed.
        if (value !== null) choose(value);
      }}
      sx={{ flexWrap: 'wrap' }}
    >
      {choices.map(({ id, title }) => (
        <ToggleButton
          key={id}
          value={id}
          sx={{ textTransform: 'none', color: 'text.secondary', paddingInline: 1.5 }}
        >
          {title}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}
