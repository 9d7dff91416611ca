import Paper from '@mui/material/Paper';
import type { ReactNode } from 'react';
import { CodeText } from '../../../elements/code-text.tsx';
import { showControls } from '../../../elements/show-controls.ts';
import type { NodePath } from '../model/node-path.ts';

interface AwayEditorProps {
  readonly path: NodePath;
  /** The editor. */
  readonly children: ReactNode;
}

/** An edit whose line is gone, because somebody removed it or it is far away: what was typed stays on the screen. */
export function AwayEditor({ path, children }: AwayEditorProps) {
  return (
    <Paper
      variant="outlined"
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        gap: 1,
        paddingInline: 1.5,
        paddingBlock: 0.5,
      }}
    >
      <CodeText>{showControls(path)}</CodeText>
      {children}
    </Paper>
  );
}
