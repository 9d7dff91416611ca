import Button from '@mui/material/Button';
import { VisuallyHidden } from './visually-hidden.tsx';

interface ActionButtonProps {
  readonly label: string;
  readonly variant?: 'contained' | 'outlined';
  /** While it works it keeps the focus, and says so. */
  readonly busyLabel?: string | undefined;
  /** Left out where the button sends a form. */
  readonly onPress?: () => void;
}

/** A button as wide as the card. */
export function ActionButton({ label, variant = 'contained', busyLabel, onPress }: ActionButtonProps) {
  const isBusy = busyLabel !== undefined;
  return (
    <>
      <Button
        type={onPress === undefined ? 'submit' : 'button'}
        variant={variant}
        size="large"
        fullWidth
        disableElevation
        disableRipple
        aria-disabled={isBusy}
        onClick={isBusy ? undefined : onPress}
        sx={isBusy ? { opacity: 0.6, cursor: 'progress' } : {}}
      >
        {label}
      </Button>
      <VisuallyHidden role="status">{busyLabel}</VisuallyHidden>
    </>
  );
}
