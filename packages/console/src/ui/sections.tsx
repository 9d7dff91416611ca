import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import Typography from '@mui/material/Typography';
import { type ReactNode, useId } from 'react';
import { Link } from 'react-router';

interface SectionCardProps {
  readonly title: string;
  /** What it is about, in a sentence. */
  readonly about?: ReactNode;
  /** What can be done with all of it. */
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
}

/** A part of a page with a heading of its own. */
export function SectionCard({ title, about, actions, children }: SectionCardProps) {
  const id = useId();
  return (
    <Paper
      component="section"
      variant="outlined"
      aria-labelledby={id}
      sx={{ padding: 2, display: 'flex', flexDirection: 'column', gap: 2, minWidth: 0 }}
    >
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1 }}>
        <Box sx={{ flex: '1 1 14rem' }}>
          <Typography id={id} variant="h2">
            {title}
          </Typography>
          {about !== undefined && (
            <Typography component="div" variant="body2" color="textSecondary">
              {about}
            </Typography>
          )}
        </Box>
        {actions}
      </Box>
      {children}
    </Paper>
  );
}

interface SectionTabsProps {
  /** Says what the tabs divide. */
  readonly label: string;
  readonly current: string;
  readonly sections: readonly { readonly id: string; readonly title: string; readonly address: string }[];
}

/** Sections of a view, each at an address of its own. */
export function SectionTabs({ label, current, sections }: SectionTabsProps) {
  return (
    <Tabs
      value={current}
      variant="scrollable"
      allowScrollButtonsMobile
      aria-label={label}
      sx={{ borderBlockEnd: 1, borderColor: 'divider', minHeight: 40, flexShrink: 0 }}
    >
      {sections.map(({ id, title, address }) => (
        <Tab key={id} value={id} label={title} component={Link} to={address} sx={{ minHeight: 40 }} />
      ))}
    </Tabs>
  );
}

interface SectionHeadProps {
  /** What the section is about. */
  readonly text: string;
  readonly action?: ReactNode;
}

/** What a section is about, and the one thing that is mostly done there. */
export function SectionHead({ text, action }: SectionHeadProps) {
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2 }}>
      <Typography color="textSecondary" sx={{ flex: '1 1 20rem' }}>
        {text}
      </Typography>
      {action}
    </Box>
  );
}
