import Box from '@mui/material/Box';
import { useEffect, useRef } from 'react';
import { drawMail } from './draw-mail.ts';

interface MailPictureProps {
  /** A whole document. */
  readonly html: string;
  readonly label: string;
}

/** A mail as programs for mail show it. It is drawn apart from the page, so that neither has an effect on the other. */
export function MailPicture({ html, label }: MailPictureProps) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = host.current;
    if (element === null) return;
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' });
    drawMail(root, html);
  }, [html]);
  return (
    <Box
      ref={host}
      role="group"
      aria-label={label}
      sx={{
        border: 1,
        borderColor: 'divider',
        borderRadius: 1,
        overflow: 'auto',
        maxHeight: 560,
        minHeight: 120,
      }}
      tabIndex={0}
    />
  );
}
