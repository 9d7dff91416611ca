import Button, { type ButtonProps } from '@mui/material/Button';
import { buttonBaseClasses } from '@mui/material/ButtonBase';
import CircularProgress from '@mui/material/CircularProgress';
import { useState } from 'react';
import { tellFailure } from '../notices/tell-failure.ts';

interface ActionButtonProps extends Pick<ButtonProps, 'variant' | 'children'> {
  /** What it does, once however often it is pressed until that is done. A failure is told in passing. */
  readonly act: () => Promise<void>;
}

/**
 * A button for what asks the server for something that counts each time. While that is under way it keeps the keyboard, which a
 * disabled one would lose.
 */
export function ActionButton({ act, variant, children }: ActionButtonProps) {
  const [isRunning, setIsRunning] = useState(false);
  async function run(): Promise<void> {
    if (isRunning) return;
    setIsRunning(true);
    try {
      await act();
    } catch (error) {
      tellFailure(error);
    } finally {
      setIsRunning(false);
    }
  }
  return (
    <Button
      variant={variant}
      aria-disabled={isRunning}
      className={isRunning ? buttonBaseClasses.disabled : ''}
      onClick={() => void run()}
      sx={isRunning ? { '&&': { color: 'transparent' } } : {}}
    >
      {children}
      {isRunning && <CircularProgress aria-hidden size={16} sx={{ position: 'absolute' }} />}
    </Button>
  );
}
