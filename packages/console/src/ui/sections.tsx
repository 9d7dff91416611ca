import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import type { Theme } from '@mui/material/styles';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import Typography from '@mui/material/Typography';
import useMediaQuery from '@mui/material/useMediaQuery';
import { type ReactNode, useId } from 'react';
import { Link } from 'react-router';

interface SectionCardProps {
  readonly title: string;
  /** A sentence about the section. */
  readonly about?: ReactNode;
  /** Actions for the whole section. */
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
}

/** A part of a page with its own heading. */
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

interface SectionTabsProps<Id extends string> {
  /** Accessible name of the tabs. */
  readonly label: string;
  readonly sections: readonly Id[];
  readonly current: Id;
  readonly titleOf: (section: Id) => string;
  readonly addressOf: (section: Id) => string;
}

/** Number of tabs that fit into a row of every window except those of phones, and of a wide window. */
const MAX_FITTING = { md: 7, lg: 8 } as const;

/**
 * Direction of a box that contains `SectionTabs` and the section. If there are many tabs, they are at the side of the
 * section.
 */
export const SECTIONS_DIRECTION = { xs: 'column', lg: 'row' } as const;

/**
 * Tabs for the sections of a view; each has its own address. In a wide window, tabs that may not fit into a row are one
 * below the other.
 */
export function SectionTabs<Id extends string>({
  label,
  sections,
  current,
  titleOf,
  addressOf,
}: SectionTabsProps<Id>) {
  const isWide = useMediaQuery<Theme>((theme) => theme.breakpoints.up('md'), { noSsr: true });
  const isVeryWide = useMediaQuery<Theme>((theme) => theme.breakpoints.up('lg'), { noSsr: true });
  const tabs = sections.map((id) => (
    <Tab key={id} value={id} label={titleOf(id)} component={Link} to={addressOf(id)} sx={{ minHeight: 40 }} />
  ));
  if (isVeryWide && sections.length > MAX_FITTING.lg)
    return (
      <Tabs
        value={current}
        orientation="vertical"
        aria-label={label}
        sx={{
          borderInlineEnd: 1,
          borderColor: 'divider',
          flexShrink: 0,
          alignSelf: 'flex-start',
          '& .MuiTab-root': { alignItems: 'flex-start', textAlign: 'start' },
        }}
      >
        {tabs}
      </Tabs>
    );
  return (
    <Tabs
      value={current}
      variant="scrollable"
      // Shown whenever the tabs may not fit, because buttons that appear later would cover the current tab.
      scrollButtons={isVeryWide || (isWide && sections.length <= MAX_FITTING.md) ? 'auto' : true}
      allowScrollButtonsMobile
      aria-label={label}
      sx={{ borderBlockEnd: 1, borderColor: 'divider', minHeight: 40, flexShrink: 0 }}
    >
      {tabs}
    </Tabs>
  );
}

interface RowListProps {
  /** Accessible name of the list. */
  readonly label?: string;
  readonly children: ReactNode;
}

/** A list of `Row`s with lines between them. */
export function RowList({ label, children }: RowListProps) {
  return (
    <Paper
      component="ul"
      variant="outlined"
      aria-label={label}
      sx={{ listStyle: 'none', margin: 0, padding: 0 }}
    >
      {children}
    </Paper>
  );
}

interface RowProps {
  /** Columns of the grid from a width of the window on. In narrower windows, the parts are one below the other. */
  readonly columns: { readonly sm: string } | { readonly md: string };
  readonly children: ReactNode;
}

export function Row({ columns, children }: RowProps) {
  return (
    <Box
      component="li"
      sx={{
        display: 'grid',
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', ...columns },
        gap: 2,
        alignItems: 'center',
        padding: 2,
        '&:not(:last-of-type)': { borderBottom: 1, borderColor: 'divider' },
      }}
    >
      {children}
    </Box>
  );
}

interface SectionHeadProps {
  /** A sentence about the section. */
  readonly text: string;
  readonly action?: ReactNode;
}

/** The introduction of a section, with its main action. */
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
