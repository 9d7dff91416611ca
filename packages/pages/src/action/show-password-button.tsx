import IconButton from '@mui/material/IconButton';
import { Drawing } from '../shell/drawing.tsx';

interface ShowPasswordButtonProps {
  readonly label: string;
  readonly isShown: boolean;
  readonly onToggle: () => void;
}

/** Shows what is typed, which spares the reader to type it twice. */
export function ShowPasswordButton({ label, isShown, onToggle }: ShowPasswordButtonProps) {
  return (
    <IconButton edge="end" disableRipple aria-label={label} aria-pressed={isShown} onClick={onToggle}>
      <Drawing names={isShown ? ['eye', 'slash'] : ['eye']} />
    </IconButton>
  );
}
